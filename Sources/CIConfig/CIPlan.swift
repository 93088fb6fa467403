import LaneModel

/// What CI does for a package, whatever the service: which jobs run which lanes, when and where.
package struct CIPlan: Sendable {
    /// A service for which files are generated.
    enum Service: String, Sendable, CaseIterable {
        case github, circleci, azure
    }

    /// Where the package lies in its repository.
    package let location: PackageLocation
    var services: [Service] = [.github]
    /// Pushes to these run the jobs. Both usual names, so that every clone makes the same files.
    var branches = ["main", "master"]
    /// Changes of these run the jobs, as the repository's root sees them; empty for any change.
    var paths: [String]
    /// The container that Linux jobs run in.
    var image = "swift:6.3-bookworm"
    /// The command by which a job's shell calls `lane`.
    var command = Self.ownCommand
    private static let ownCommand = "ci/lane"
    /// What a job must fetch for that.
    var tool: CITool?
    /// Commands before the lanes, in every job.
    var setup: [String] = []
    var jobs: [CIJob] = []
    /// Without any, a job for tests could only fail.
    let hasTests: Bool

    /// - Parameters:
    ///   - tool: How jobs come by `lane`; `nil` for a package with a `ci/lane` of its own.
    ///   - hasTests: Whether the lane `test` finds something to run.
    ///   - location: Where the package lies in its repository.
    package init(tool: CITool? = nil, hasTests: Bool = true, location: PackageLocation = PackageLocation()) {
        self.location = location
        paths = location.patterns
        self.hasTests = hasTests
        if let tool { fetch(tool) }
    }

    /// Has `lane` fetched by the jobs.
    mutating func fetch(_ tool: CITool) { (command, self.tool) = (tool.command(in: location), tool) }

    /// The address that jobs fetch `lane` from; `nil` when they need not.
    package var toolRepository: String? { tool?.repository }

    /// A Boolean value that indicates whether pushes to the branch run the jobs.
    package func isStarted(by branch: String) -> Bool {
        // The last pattern that matches decides.
        branches.map(BranchPattern.init).last { $0.matches(branch) }?.isExclusion == false
    }

    /// The patterns for a file that is generated, whose own changes count, too; `nil` where every change does.
    func patterns(for file: String) -> [String]? {
        guard !paths.isEmpty, !paths.contains("**") else { return nil }
        let isCovered = paths.contains { $0.hasSuffix("/**") && file.utf8.starts(with: $0.utf8.dropLast(2)) }
        return isCovered ? paths : paths + [file]
    }

    /// The container of a job; `nil` on a system that has none.
    func image(for job: CIJob) -> String? { job.system == .linux ? job.image ?? image : nil }

    /// The name of the tool's cache, before the machine's kind.
    var toolCache: String? { tool.map { "lane-\($0.version)" } }

    /// The commands before the lanes of a job.
    func setup(for job: CIJob) -> [String] { setup + job.setup }

    /// The steps that prepare `lane`, after the job's own, which may install what these need.
    var toolSteps: [(name: String, text: String)] {
        let fetch = tool.map { (name: "Fetch lane \($0.version)", text: $0.fetch(in: location)) }
        let isBuilt = tool != nil || command == Self.ownCommand
        let build = isBuilt ? (name: "Build lane, unless a cache has it", text: "\(command) --version") : nil
        return [fetch, build].compactMap(\.self)
    }

    var automaticJobs: [CIJob] { jobs.filter { !$0.isManual } }
    /// The jobs of services that know pushes and pull requests only.
    var changeJobs: [CIJob] { automaticJobs.filter { !$0.events.isDisjoint(with: [.push, .pullRequest]) } }
    var manualJobs: [CIJob] { jobs.filter(\.isManual) }
}

/// Some lanes, run one after the other on one machine.
struct CIJob: Sendable {
    /// The system that a job runs on.
    enum System: String, Sendable, CaseIterable {
        case linux, macos
    }

    /// What starts a job.
    enum Event: String, Sendable, CaseIterable {
        case push
        case pullRequest = "pull-request"
        case mergeQueue = "merge-queue"
        /// A person starts it and gives the parameters of its lane.
        case manual
    }

    let name: String
    var title: String
    var calls: [CICall]
    var events: Set<Event> = [.push, .pullRequest, .mergeQueue]
    /// Names of jobs that must have ended well.
    var needs: [String] = []
    var system = System.linux
    /// The container that it runs in, if not that of all Linux jobs.
    var image: String?
    /// Commands before its lanes, after those of the plan.
    var setup: [String] = []
    /// Whole minutes, at least one.
    var minutes = 60
    /// Files and folders that the job makes for others.
    var artifacts: [String] = []
    /// Rights beyond reading the repository, in GitHub's words.
    var permissions: [(name: String, level: String)] = []
    /// GitHub's environment, whose reviewers are asked.
    var environment: String?
    /// Whether it pushes what its lane has committed and tagged.
    var pushes = false

    var isManual: Bool { events.contains(.manual) }
    var runsTests: Bool { calls.contains(where: \.runsTests) }
    /// What a person is asked for when starting it.
    var inputs: [Parameter] { isManual ? calls.flatMap(\.openParameters) : [] }
}

/// A lane with the values that the configuration gives for its parameters.
struct CICall: Sendable {
    let lane: Lane
    /// By the parameters' names, as they would be typed.
    var values: [String: String] = [:]
    /// Of the lane and all that it runs.
    var secrets: [String] = []
    var runsTests = false

    var openParameters: [Parameter] { lane.parameters.filter { values[$0.name] == nil } }
}

extension CIPlan {
    /// Makes the titles of jobs distinct, as services show a job by its title alone.
    ///
    /// - Parameter given: The names of jobs whose titles stay as they are.
    mutating func makeTitlesUnique(except given: Set<String> = []) {
        for index in jobs.indices where !given.contains(jobs[index].name) {
            let title = jobs[index].title
            let others = jobs.indices.filter { $0 != index }.map { jobs[$0].title } + [GitHubWorkflow.gateTitle]
            if others.contains(title) { jobs[index].title = "\(title) (\(jobs[index].name))" }
        }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it first stands.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
