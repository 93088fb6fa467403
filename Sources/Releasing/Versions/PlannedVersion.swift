import Expressions
import LaneModel
import LaneRun
import SemVer

/// The version of a release in a plan.
struct PlannedVersion {
    let version: String
    let tag: String

    /// Creates the version that an earlier step will write, or else the current one.
    init?(_ settings: Settings, in context: StepContext, after earlier: [String: Value]) {
        if settings.string("version") == nil, let version = earlier["version"]?.text, let tag = earlier["tag"]?.text {
            self.version = version
            self.tag = tag
        } else if let working = try? WorkingVersion.find(settings, in: context) {
            version = working.version.description
            tag = working.tag
        } else {
            return nil
        }
    }
}

extension VersionFacts {
    /// Returns a version with an explanation of its computation, unless it is literal.
    func explained(_ version: SemanticVersion, for request: VersionRequest, asked text: String?) -> String {
        let base = (tags.last?.version ?? occurrences.version)?.description ?? ""
        let beside = surprise(in: version, for: request) == nil ? nil : tags.highest
        let more = beside.map { "; HEAD does not come from '\($0.name)'" } ?? ""
        return switch request {
        case .exact: version.description
        case .bump: "\(version) (\(text ?? "") after \(base)\(more))"
        case .fromCommits: "\(version) (as the commits after \(base) ask for\(more))"
        }
    }
}
