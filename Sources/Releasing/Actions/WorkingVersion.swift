import Expressions
import LaneModel
import LaneRun
import SemVer

/// The version that the steps after `bump` refer to.
struct WorkingVersion {
    let version: SemanticVersion
    let tag: String
    /// The facts that decide the version, or `nil` if `bump` in this transaction has decided it.
    let facts: VersionFacts?

    /// Returns the first of these versions: the `version` setting; that of `bump` in this transaction; that of the
    /// files if it is newer than the last release; the lane's `version` parameter; that of the newest section of the
    /// changelog; that of the last release; that of the files.
    static func find(_ settings: Settings, in context: StepContext) throws(StepFailure) -> WorkingVersion {
        guard let found = try findIfAny(settings, in: context) else {
            let hint = "tag a commit, or set 'version'"
            throw .refused(["no version was found in files, tags or the changelog\nhint: \(hint)"])
        }
        return found
    }

    /// Returns the version, or `nil` for a package without any version.
    static func findIfAny(_ settings: Settings, in context: StepContext) throws(StepFailure) -> WorkingVersion? {
        let named = settings.string("version")
        if let release = context.transaction?.notes.release, named == nil || named == release.version.description {
            return WorkingVersion(version: release.version, tag: release.tag, facts: nil)
        }
        let facts = try VersionFacts.read(Git(context), root: context.directory)
        return try choose(settings, context, facts).map {
            WorkingVersion(version: $0, tag: facts.tags.prefix + $0.description, facts: facts)
        }
    }

    private static func choose(
        _ settings: Settings, _ context: StepContext, _ facts: VersionFacts
    ) throws(StepFailure) -> SemanticVersion? {
        if let text = settings.string("version") {
            guard let version = SemanticVersion(text) else { throw .refused([VersionRequest.refusal(of: text)]) }
            return version
        }
        let last = facts.tags.last?.version
        // Files that disagree do not all name the version of this release.
        let named = facts.occurrences.problems.isEmpty ? facts.occurrences.version : nil
        if let present = named, last.map({ present > $0 }) ?? true { return present }
        if case .string(let text)? = context.parameters["version"], !text.isEmpty, let request = VersionRequest(text) {
            return try facts.version(for: request)
        }
        if let newest = try ChangelogFile.read(in: context.directory)?.versions.first, last.map({ newest > $0 }) ?? true
        {
            return newest
        }
        // Some files are never updated with the tags.
        if let version = last ?? facts.occurrences.version { return version }
        if let problem = facts.tags.problem { throw .refused([problem]) }
        return nil
    }
}
