import LaneModel
import LaneRun

/// The version that a release will have, for the steps of a plan.
struct PlannedVersion {
    let version: String
    let tag: String

    /// What an earlier step will write; else what the steps would find now.
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
    /// The version that is asked for, with what it is counted from where it does not stand there outright.
    func explained(_ version: SemanticVersion, for request: VersionRequest, asked text: String?) -> String {
        let base = (tags.last?.version ?? places.version)?.description ?? ""
        let beside = surprise(in: version, for: request) == nil ? nil : tags.highest
        let more = beside.map { "; HEAD does not come from '\($0.name)'" } ?? ""
        return switch request {
        case .exact: version.description
        case .bump: "\(version) (\(text ?? "") after \(base)\(more))"
        case .fromCommits: "\(version) (as the commits after \(base) ask for\(more))"
        }
    }
}
