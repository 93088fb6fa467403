package import Actions
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
package import Text

/// The version that the steps after `bump` refer to.
package struct WorkingVersion {
    package let version: SemanticVersion
    /// The name of its tag.
    package let tag: String
    /// The data that determined the version, or `nil` if an earlier step of the run has determined it.
    package let facts: VersionFacts?

    /// Returns the first version found in: the `version` setting, an earlier step of the run, the files if newer than
    /// the last release, the lane's `version` parameter, the newest section of the changelog, the last release, the
    /// files. Later steps use a version that the parameter determines, because it may be relative to the last release.
    package static func find(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> WorkingVersion {
        guard let found = try findIfAny(settings, in: context) else {
            let hint = "tag a commit, or set 'version'"
            throw .refused(["no version was found in files, tags or the changelog\nhint: \(hint)"])
        }
        return found
    }

    /// Returns the version, or `nil` for a package without any version.
    package static func findIfAny(_ settings: Settings, in context: StepContext) throws(OperationFailure)
        -> WorkingVersion?
    {
        let named = settings.string("version")
        if let release = planned(in: context), named == nil || named == release.version.description {
            return WorkingVersion(version: release.version, tag: release.tag, facts: nil)
        }
        let facts = try VersionFacts.read(context)
        return try choose(settings, context, facts).map {
            WorkingVersion(version: $0, tag: facts.tags.prefix + $0.description, facts: facts)
        }
    }

    /// Returns the release whose version an earlier step of the run has determined, if any.
    package static func planned(in context: StepContext) -> PlannedRelease? {
        context.releases.last(prefix: Git(context)[variable: TaggedPackage.prefixVariable])
    }

    /// Returns the version that an earlier step of the plan will write, or the current version if there is no such step.
    package static func forecast(
        _ settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> PlannedRelease? {
        if settings.string("version") == nil, planned(in: context) == nil,
            let version = earlier["version"]?.text.flatMap({ SemanticVersion($0) }), let tag = earlier["tag"]?.text
        {
            return PlannedRelease(version: version, tag: tag)
        }
        return (try? find(settings, in: context)).map { PlannedRelease(version: $0.version, tag: $0.tag) }
    }

    private static func choose(
        _ settings: Settings, _ context: StepContext, _ facts: VersionFacts
    ) throws(OperationFailure) -> SemanticVersion? {
        if let text = settings.string("version") {
            guard let version = SemanticVersion(text) else { throw .refused([VersionRequest.errorMessage(for: text)]) }
            return version
        }
        let last = facts.tags.last?.version
        // Files with different versions cannot all name the version of this release.
        let named = facts.occurrences.problems.isEmpty ? facts.occurrences.version : nil
        if let present = named, last.map({ present > $0 }) ?? true { return present }
        if case .string(let text)? = context.parameters["version"], !text.isEmpty, let request = VersionRequest(text) {
            let version = try facts.version(for: request)
            context.releases.set(PlannedRelease(version: version, tag: facts.tags.prefix + version.description))
            return version
        }
        if let newest = try ChangelogFile.read(in: context.directory)?.versions.first, last.map({ newest > $0 }) ?? true
        {
            return newest
        }
        // Some projects tag releases without updating the version in files.
        if let version = last ?? facts.occurrences.version { return version }
        if let problem = facts.tags.problem { throw .refused([problem]) }
        return nil
    }
}

extension VersionFacts {
    /// Returns a version with an explanation, or the version alone if the lane file contains it literally.
    func explained(_ version: SemanticVersion, for request: VersionRequest, asked text: String?) -> String {
        let base = (tags.last?.version ?? occurrences.version)?.description ?? ""
        let beside = otherBranchNote(in: version, for: request) == nil ? nil : tags.highest
        let more = beside.map { "; HEAD does not come from '\($0.name)'" } ?? ""
        return switch request {
        case .exact: version.description
        case .bump: "\(version) (\(text ?? "") after \(base)\(more))"
        case .fromCommits:
            "\(version) (computed from the commits\(breakCount > 0 ? " and the public API" : "") after \(base)\(more))"
        }
    }
}
