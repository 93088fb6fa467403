import LaneModel
import LaneRun

/// The version that the steps after `bump` are about, found again without a word between the steps.
struct WorkingVersion {
    let version: SemanticVersion
    let facts: VersionFacts

    var tag: String { facts.tags.prefix + version.description }

    /// The `version` setting; else what `bump` has settled in this transaction; else what the files say, if that is newer
    /// than the last release; else the lane's `version` parameter; else the newest section of the changelog; else the
    /// last release; else what the files say.
    static func find(_ settings: Settings, in context: StepContext) throws(StepFailure) -> WorkingVersion {
        guard let found = try findIfAny(settings, in: context) else {
            let hint = "tag a commit, or name it in 'version'"
            throw .refused(["no version was found in files, tags or the changelog\nhint: \(hint)"])
        }
        return found
    }

    /// The same; `nil` for a package that has no version anywhere yet.
    static func findIfAny(_ settings: Settings, in context: StepContext) throws(StepFailure) -> WorkingVersion? {
        let facts = try VersionFacts.read(Git(context), root: context.directory)
        return try choose(settings, context, facts).map { WorkingVersion(version: $0, facts: facts) }
    }

    private static func choose(
        _ settings: Settings, _ context: StepContext, _ facts: VersionFacts
    ) throws(StepFailure) -> SemanticVersion? {
        if let text = settings.string("version") {
            guard let version = SemanticVersion(text) else { throw .refused([VersionRequest.refusal(of: text)]) }
            return version
        }
        if let settled = context.transaction?.notes.version.flatMap({ SemanticVersion($0) }) { return settled }
        let last = facts.tags.last?.version
        // Files that disagree say nothing of this release: some of them are no places of its version.
        let told = facts.places.problems.isEmpty ? facts.places.version : nil
        if let present = told, last.map({ present > $0 }) ?? true { return present }
        if case .string(let text)? = context.parameters["version"], !text.isEmpty, let request = VersionRequest(text) {
            return try facts.version(for: request)
        }
        if let newest = try ChangelogFile.read(in: context.directory)?.versions.first, last.map({ newest > $0 }) ?? true
        {
            return newest
        }
        // Some files never follow the tags.
        if let version = last ?? facts.places.version { return version }
        if let problem = facts.tags.problem { throw .refused([problem]) }
        return nil
    }
}
