import OperatingSystem
import Text
import YAML

/// The configuration file of CircleCI, with a workflow and jobs for each package of the repository.
///
/// Each package replaces only its own workflow and jobs.
struct CircleFile {
    static let path = CIService.circleci.definition

    private typealias Members = [(name: String, value: YAMLNode)]

    /// The workflows in the order of their names.
    private var workflows: Members = []
    private var jobs: Members = []

    /// Parses a generated file. Any other file counts as empty.
    init(_ text: String?) {
        guard let text, GeneratedFile.isGenerated(text) else { return }
        let document = YAMLParser.parse(SourceFile(path: Self.path, text: text)).node
        workflows = Self.members(document?["workflows"])
        jobs = Self.members(document?["jobs"])
    }

    private static func members(_ node: YAMLNode?) -> Members {
        (node?.members ?? []).map { (name: $0.name, value: $0.value) }
    }

    /// Replaces a package's workflow and jobs, or removes them if there are no jobs.
    mutating func replace(_ workflow: String, with value: YAMLNode, jobs new: [(name: String, value: YAMLNode)]) {
        let old = workflows.first { $0.name == workflow }.map { Self.jobs(of: $0.value) } ?? []
        jobs.removeAll { old.contains($0.name) }
        workflows.removeAll { $0.name == workflow }
        guard !new.isEmpty else { return }
        workflows.append((name: workflow, value: value))
        workflows.sort { $0.name < $1.name }
        jobs += new
        let order = workflows.flatMap { Self.jobs(of: $0.value) }
        jobs.sort { (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0) }
    }

    /// Removes the workflows and jobs of packages that no longer exist. No other run of `lane ci` would remove them.
    ///
    /// - Parameter exists: Returns a Boolean value that indicates whether a directory has a package.
    mutating func removePackages(unless exists: (String) -> Bool) {
        for (name, workflow) in workflows {
            let jobs = Self.jobs(of: workflow)
            let steps = self.jobs.filter { jobs.contains($0.name) }.flatMap { $0.value["steps"]?.sequence ?? [] }
            // The steps of a package below the root run in its directory.
            let directory = steps.lazy.compactMap { $0["run"]?["working_directory"]?.scalar?.text }.first
            if let directory, !exists(directory) { replace(name, with: workflow, jobs: []) }
        }
    }

    private static func jobs(of workflow: YAMLNode) -> [String] {
        (workflow["jobs"]?.sequence ?? []).compactMap { $0.scalar?.text ?? $0.members?.first?.name }
    }

    /// The file. Its text is empty if it contains no workflow.
    var file: GeneratedFile {
        guard !workflows.isEmpty else { return GeneratedFile(absent: Self.path) }
        return GeneratedFile(
            Self.path,
            mapping([("version", .plain("2.1")), ("jobs", .map(jobs)), ("workflows", .map(workflows))]))
    }
}
