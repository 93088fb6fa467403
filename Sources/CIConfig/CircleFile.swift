import Diagnostics
import YAML

/// The one file that CircleCI reads: a workflow for each package of the repository, each with its own jobs.
///
/// A package changes only what is its own and leaves the rest as it is.
struct CircleFile {
    static let path = ".circleci/config.yml"

    private typealias Members = [(name: String, value: YAMLNode)]

    /// In the order of their names.
    private var workflows: Members = []
    private var jobs: Members = []

    /// What another run has generated; empty for anything else.
    init(_ text: String?) {
        guard let text, GeneratedFile.isGenerated(text) else { return }
        let document = YAMLParser.parse(SourceFile(path: Self.path, text: text)).node
        workflows = Self.members(document?["workflows"])
        jobs = Self.members(document?["jobs"])
    }

    private static func members(_ node: YAMLNode?) -> Members {
        (node?.members ?? []).map { (name: $0.name, value: $0.value) }
    }

    /// Puts a package's workflow and jobs in the place of those that it had; none at all when there are no jobs.
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

    private static func jobs(of workflow: YAMLNode) -> [String] {
        (workflow["jobs"]?.sequence ?? []).compactMap { $0.scalar?.text ?? $0.members?.first?.name }
    }

    /// With an empty text when nothing is left in it.
    var file: GeneratedFile {
        guard !workflows.isEmpty else { return GeneratedFile(absent: Self.path) }
        return GeneratedFile(
            Self.path,
            mapping([("version", .plain("2.1")), ("jobs", .map(jobs)), ("workflows", .map(workflows))]))
    }
}
