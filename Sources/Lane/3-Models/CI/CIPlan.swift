import LaneModel
import Text

/// The CI jobs of a package with their lanes, events and systems, for all services.
package struct CIPlan: Sendable {
    /// The location of the package in its repository.
    let location: PackageLocation
    /// The names of the formats of the files.
    var services = [CIFormat.github.name]
    /// The branches whose pushes run the jobs. Both common names are included, so all clones generate the same files.
    var branches = ["main", "master"]
    /// The patterns of tags that run the jobs for tags, in the syntax of GitHub.
    var tags = ["*"]
    /// The patterns of changed files that run the jobs, relative to the repository's root. Empty for all changes.
    var paths: [String]
    /// The address of the directory through which Kubernetes pods exchange files.
    var store: String?
    /// The container image of Linux jobs.
    var image: String
    /// The command that runs `lane`.
    var command = Self.ownCommand
    private static let ownCommand = "ci/lane"
    /// The version of `lane` to fetch for the command.
    var tool: CITool?
    /// The commands that precede the lanes in every job.
    var setup: [String] = []
    var jobs: [CIJob] = []
    /// A Boolean value that indicates whether the package has tests. Without tests, a test job would fail.
    let hasTests: Bool
    /// A Boolean value that indicates whether the package has products other than plugins. Without them, a package job
    /// would fail.
    let hasProducts: Bool

    /// - Parameters:
    ///   - tool: The version of `lane` to fetch, or `nil` for a package that contains `ci/lane`.
    ///   - image: The container image of Linux jobs, or `nil` for the standard image.
    ///   - hasTests: A Boolean value that indicates whether the package has tests.
    ///   - hasProducts: A Boolean value that indicates whether the package has products other than plugins.
    ///   - location: The location of the package in its repository.
    package init(
        tool: CITool? = nil, image: String? = nil, hasTests: Bool = true, hasProducts: Bool = true,
        location: PackageLocation = PackageLocation()
    ) {
        self.location = location
        self.image = image ?? SwiftImage.standard
        paths = location.patterns
        self.hasTests = hasTests
        self.hasProducts = hasProducts
        if let tool { fetch(tool) }
    }

    /// Sets the version of `lane` that the jobs fetch.
    mutating func fetch(_ tool: CITool) { (command, self.tool) = (tool.command(in: location), tool) }

    /// The address from which the jobs fetch `lane`, or `nil` if they do not fetch it.
    package var toolRepository: String? { tool?.repository }

    /// The names of jobs that compile `lane` in each run. They use no cache, because they have write permissions.
    package var compilingJobs: [String] {
        guard let tool, tool.sha256 == nil else { return [] }
        return jobs.filter { !$0.permissions.isEmpty }.map(\.name)
    }

    /// Returns a Boolean value that indicates whether pushes to a branch run the jobs.
    package func isStarted(by branch: String) -> Bool {
        // The last matching pattern decides.
        branches.map(BranchPattern.init).last { $0.matches(branch) }?.isExclusion == false
    }

    /// Returns the patterns for a generated file, including the file itself, or `nil` if all changes run the jobs.
    func patterns(for file: String) -> [String]? {
        guard !paths.isEmpty, !paths.contains("**") else { return nil }
        let isCovered = paths.contains { $0.hasSuffix("/**") && file.utf8.starts(with: $0.utf8.dropLast(2)) }
        return isCovered ? paths : paths + [file]
    }

    /// Returns the container image of a job, or `nil` on macOS.
    func image(for job: CIJob) -> String? { job.system.isLinux ? job.image ?? image : nil }

    /// The prefix of the key of the cache for `lane`.
    var toolCache: String? { tool.map { "lane-\($0.version)" } }

    /// Returns the commands that precede the lanes of a job.
    func setup(for job: CIJob) -> [String] { setup + job.setup }

    /// The steps that prepare `lane`, after the `setup` of the job, which may install their requirements.
    var toolSteps: [(name: String, text: String)] {
        let fetch = tool.map { (name: "Fetch lane \($0.version)", text: $0.fetch(in: location)) }
        let isBuilt = tool != nil || command == Self.ownCommand
        let build = isBuilt ? (name: "Build lane unless it is cached", text: "\(command) --version") : nil
        return [fetch, build].compactMap(\.self)
    }

    /// The step with which a restored build is up to date in a new checkout.
    var stamp: (name: String, text: String) { ("Set modification times from file contents", "\(command) ci stamp") }

    var automaticJobs: [CIJob] { jobs.filter { !$0.isManual } }
    /// The jobs that pushes and pull requests start.
    var changeJobs: [CIJob] { automaticJobs.filter { !$0.events.isDisjoint(with: [.push, .pullRequest]) } }
    var manualJobs: [CIJob] { jobs.filter(\.isManual) }
    /// The times at which jobs start.
    var schedules: [String] { automaticJobs.flatMap(\.schedules).uniqued() }
    var hasTagJobs: Bool { automaticJobs.contains { $0.events.contains(.tag) } }
}

/// A job that runs lanes one after another on one machine.
struct CIJob: Sendable {
    /// The system of a job.
    enum System: String, Sendable, CaseIterable {
        case linux
        case linuxARM = "linux-arm64"
        case macos

        var isLinux: Bool { self != .macos }

        var title: String {
            switch self {
            case .linux: "Linux"
            case .linuxARM: "Linux on arm64"
            case .macos: "macOS"
            }
        }
    }

    /// The event that starts a job.
    enum Event: String, Sendable, CaseIterable {
        case push
        case pullRequest = "pull-request"
        case mergeQueue = "merge-queue"
        /// A tag was pushed.
        case tag
        /// A schedule is due.
        case schedule
        /// The user starts the job and enters the parameters of its lane.
        case manual
    }

    var name: String
    /// The name in the configuration.
    let origin: String
    var title: String
    var calls: [CICall]
    var events: Set<Event> = [.push, .pullRequest, .mergeQueue]
    /// The times at which the job starts, in the syntax of cron.
    var schedules: [String] = []
    /// The labels of the runner on GitHub. Empty for a runner that GitHub hosts.
    var runner: [String] = []
    /// The names of the jobs that must succeed first.
    var needs: [String] = []
    /// The systems. Only a job in the configuration can have several.
    var systems = [System.linux]
    /// The versions of Swift of a Linux job in the configuration. Empty for the version of the image.
    var versions: [String] = []
    /// The container image, or `nil` for the image of the plan.
    var image: String?
    /// The commands that precede the lanes, after the setup of the plan.
    var setup: [String] = []
    /// The time limit in minutes, at least one.
    var minutes = 60
    /// The files and directories that the job uploads.
    var artifacts: [String] = []
    /// The permissions other than reading the repository, in the syntax of GitHub.
    var permissions: [(name: String, level: String)] = []
    /// The GitHub environment, which may require a review.
    var environment: String?
    /// A Boolean value that indicates whether the result of the job does not count.
    var mayFail = false
    /// The number of machines that run the tests of the lane.
    var shards = 1
    /// The stage of the job in a sharded test run; `nil` for any other job.
    var stage: ShardStage?
    /// The stage of the job in a release that several machines build; `nil` for any other job.
    var releaseStage: ReleaseStage?
    /// A Boolean value that indicates whether the job pushes the commits and tags of its lane.
    var pushes = false

    init(name: String, title: String, calls: [CICall]) {
        (self.name, origin, self.title, self.calls) = (name, name, title, calls)
    }

    var system: System { systems[0] }
    var isManual: Bool { events.contains(.manual) }
    /// A Boolean value that indicates whether the job compiles the package.
    var builds: Bool { stage == nil || stage == .pack }
    /// A Boolean value that indicates whether the job writes test reports.
    var runsTests: Bool { (stage == nil || stage == .merge) && calls.contains(where: \.runsTests) }
    /// The parameters that the user enters. Several lanes can have the same parameter.
    var inputs: [Parameter] {
        guard isManual else { return [] }
        var names: Set<String> = []
        return calls.flatMap(\.openParameters).filter { names.insert(CIShell.variable($0)).inserted }
    }
}

/// The stages of a sharded test run, each of which is a job.
enum ShardStage: Sendable {
    /// Builds and packs the tests.
    case pack
    /// Runs one shard on each of several machines.
    case run
    /// Merges the events of all machines.
    case merge
}

/// A lane with configured parameter values.
struct CICall: Sendable {
    let lane: Lane
    /// The values by parameter name, as on the command line.
    var values: [String: String] = [:]
    /// The secrets of the lane and of the lanes that it runs.
    var secrets: [String] = []
    var runsTests = false

    /// The parameters without a value, except for directories that only a job can fill, and for secrets that the
    /// environment can contain.
    var openParameters: [Parameter] {
        lane.parameters.filter {
            values[$0.name] == nil && ![ReleaseNames.parts, ReleaseNames.pullRequest].contains($0.name)
                && (!$0.isSecret || $0.mustBeGiven)
        }
    }
}

extension CIPlan {
    /// Makes the titles of jobs unique, because services show only titles.
    ///
    /// - Parameter given: The names of jobs whose titles must not change.
    mutating func makeTitlesUnique(except given: Set<String> = []) {
        for index in jobs.indices where !given.contains(jobs[index].name) {
            let title = jobs[index].title
            let others = jobs.indices.filter { $0 != index }.map { jobs[$0].title } + [GitHubWorkflow.gateTitle]
            if others.contains(title) { jobs[index].title = "\(title) (\(jobs[index].name))" }
        }
    }
}
