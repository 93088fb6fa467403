import Expressions
import LaneModel
import Text

extension CIPlan {
    /// Adds the jobs of a package without a configuration: checks and tests for every change, archives after them, and
    /// a manual release.
    mutating func addDefaultJobs(from files: CheckedLaneFiles) {
        var names: [String] = []
        for name in ["lint", "test", "package", "release"] {
            guard let lane = files[name], !lane.isPrivate, name != "test" || hasTests,
                name != "package" || hasProducts
            else { continue }
            // A job pushes an unpublished release, because its machine is deleted afterwards.
            let publishes = lane.parameter("publish")?.kind == .bool
            let call = CICall(lane, values: publishes ? ["publish": "true"] : [:], in: files)
            let isManual = lane.isTransaction || lane.parameters.contains(where: \.isRequired)
            var job = CIJob(name: name, title: lane.summary ?? name, calls: [call])
            job.minutes = call.minutes
            if isManual {
                job.events = [.manual]
                job.permissions = [("contents", "write")]
                job.environment = name
                job.setup = publishes ? [CITool.curl] : []
                if name == "release", hasProducts, lane.takesParts { job.systems = [.linux, .linuxARM] }
                let hasPublisher = (lane.steps + lane.then).flattened().contains { $0.runs(.publish) }
                job.pushes = lane.isTransaction && !publishes && !hasPublisher
            } else if name == "package" {
                job.needs = names.filter { $0 == "test" }
                job.artifacts = ["dist"]
            }
            names.append(name)
            jobs.append(job)
        }
        makeTitlesUnique()
    }
}

extension CICall {
    /// The time in minutes to prepare the toolchain and `lane`.
    private static let preparation = 15

    init(_ lane: Lane, values: [String: String] = [:], in files: CheckedLaneFiles) {
        self.lane = lane
        self.values = values
        secrets = files.reached(from: lane, by: \.calls).flatMap(\.secrets).uniqued()
        runsTests = files.reached(from: lane) { $0.needs + $0.steps.certainCalls }
            .contains { $0.steps.contains(where: \.alwaysTests) }
    }

    /// The time limit of the job in minutes: the limit of the lane, or an hour, plus the time for preparation.
    var minutes: Int {
        let own = lane.timeout.map { Int(($0.components.seconds + 59) / 60) } ?? 45
        return max(1, own) + Self.preparation
    }
}

extension CheckedLaneFiles {
    /// Returns a lane and the lanes that it runs, directly or indirectly.
    fileprivate func reached(from lane: Lane, by calls: (Lane) -> [LaneCall]) -> [Lane] {
        var seen: Set<String> = [lane.name]
        var queue = [lane]
        var found: [Lane] = []
        while let next = queue.popLast() {
            found.append(next)
            for call in calls(next) where seen.insert(call.lane).inserted {
                if let lane = self[call.lane] { queue.append(lane) }
            }
        }
        return found
    }
}

extension Lane {
    /// A Boolean value that indicates whether exactly one step of the lane itself runs tests. The tests of such a lane
    /// can be sharded.
    var runsTestsItself: Bool { steps.count { $0.alwaysTests } == 1 }

    /// The paths of the report and coverage files of the lane's own test steps, by their settings. Paths from expressions
    /// are omitted.
    package var reportPaths: [String: String] {
        steps.flattened().reduce(into: [:]) { paths, step in
            guard case .action(.builtIn(.test), let settings) = step.content else { return }
            paths.merge(settings.reportPaths) { first, _ in first }
        }
    }
}

extension Step {
    fileprivate var alwaysTests: Bool {
        // Only the last job of several machines has parts.
        let steps = [self].flattened { $0.condition == nil || $0.condition?.text == CIJob.hasNoParts }
        return steps.contains { $0.runs(.test) }
    }

    fileprivate func runs(_ action: BuiltInAction) -> Bool {
        if case .action(.builtIn(action), _) = content { true } else { false }
    }
}

extension [Step] {
    /// Returns the steps, with the inner ones in place of a `parallel` step.
    ///
    /// - Parameter isIncluded: Returns a Boolean value that indicates whether the result contains a step, or its inner
    ///   ones.
    fileprivate func flattened(where isIncluded: (Step) -> Bool = { _ in true }) -> [Step] {
        filter(isIncluded).flatMap { step in
            if case .parallel(let steps) = step.content { steps.flattened(where: isIncluded) } else { [step] }
        }
    }

    /// The lanes that the steps always run.
    fileprivate var certainCalls: [LaneCall] {
        flattened { $0.condition == nil }.compactMap { if case .lane(let call) = $0.content { call } else { nil } }
    }
}

/// The variants of a job: one for each version of Swift on Linux, and one on macOS, where Xcode contains the toolchain.
extension CIPlan {
    /// Returns the error of a job's versions and systems.
    func variantProblem(of job: CIJob) -> CIPlanProblem? {
        if !job.versions.isEmpty, !job.systems.contains(where: \.isLinux) {
            return CIPlanProblem(
                "swift", of: job, "has versions of Swift but runs on macos",
                hint: "on macOS, Xcode determines the version; add 'linux' to 'os'")
        }
        let image = job.image ?? image
        if let version = job.versions.first, Self.image(image, ofSwift: version) == nil {
            return CIPlanProblem(
                "swift", of: job, "has versions of Swift but no version in its image '\(image)'",
                hint: "use one like '\(SwiftImage.standard)'")
        }
        guard job.versions.count > 1 || job.systems.count > 1 else { return nil }
        if job.isManual, !job.hasParts || job.versions.count > 1 {
            return CIPlanProblem(
                "on", of: job, "has several variants but is started manually",
                hint:
                    "use other events, or several systems for a release lane with the parameters 'parts' and 'publish'"
            )
        }
        if job.systems.count > 1, !job.runner.isEmpty {
            return CIPlanProblem(
                "runner", of: job, "has a runner and several systems", hint: "use a separate job for each system")
        }
        return nil
    }

    /// Replaces each job that has several versions or systems with a job for each. A job that needs the original needs
    /// all replacements.
    mutating func expandVariants() {
        var variantNames: [String: [String]] = [:]
        jobs = jobs.flatMap { job in
            var job = job
            job.needs = job.needs.flatMap { variantNames[$0] ?? [$0] }
            let variants = variants(of: job)
            variantNames[job.name] = variants.map(\.name)
            return variants
        }
    }

    private func variants(of job: CIJob) -> [CIJob] {
        let hasOneVariant = job.versions.count <= 1 && job.systems.count == 1
        func variant(_ system: CIJob.System, _ image: String?, _ suffix: String, _ title: String) -> CIJob {
            var variant = job
            (variant.systems, variant.image) = ([system], image)
            guard !hasOneVariant else { return variant }
            variant.name = "\(job.name)-\(suffix)"
            variant.title = "\(job.title) (\(title))"
            return variant
        }
        if job.hasParts {
            var parts = job
            if let version = job.versions.first { parts.image = Self.image(job.image ?? image, ofSwift: version) }
            return [parts]
        }
        return job.systems.flatMap { system in
            guard system.isLinux, !job.versions.isEmpty else {
                return [variant(system, system.isLinux ? job.image : nil, system.rawValue, system.title)]
            }
            return job.versions.map { version in
                let image = Self.image(job.image ?? image, ofSwift: version)
                let name = version.replacing(".", with: "-")
                guard system != .linux else { return variant(system, image, name, "Swift \(version)") }
                return variant(system, image, "\(name)-arm64", "Swift \(version) on arm64")
            }
        }
    }

    /// Returns an image with another version in its tag, or `nil` if the tag does not start with one.
    private static func image(_ image: String, ofSwift version: String) -> String? {
        guard let colon = image.lastIndex(of: ":"), !image.contains("@") else { return nil }
        let tag = image[image.index(after: colon)...]
        let rest = tag.drop { $0.isNumber || $0 == "." }
        guard rest.count < tag.count, rest.isEmpty || rest.hasPrefix("-") else { return nil }
        return "\(image[...colon])\(version)\(rest)"
    }
}
