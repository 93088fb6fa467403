package import Actions
package import LaneModel
package import OperatingSystem
import Text

/// The result of checking a requested version.
package struct VersionCheck {
    /// The version with an explanation, for plans. If the version cannot be computed, the text of the setting.
    package let shown: String
    /// The reasons why the version cannot be released.
    package let problems: [String]
    /// Unexpected properties of the version.
    package let notes: [String]
    /// The version, and the one before it, if they are known.
    private let version: SemanticVersion?
    private let last: SemanticVersion?

    /// Checks the version in `settings`. Returns `nil` if the settings contain no version.
    package init?(of settings: Settings, in context: StepContext) throws(OperationFailure) {
        guard let text = settings.string("version") else { return nil }
        guard let request = VersionRequest(text) else {
            self.init(shown: text, problems: [VersionRequest.errorMessage(for: text)])
            return
        }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        let notes = facts.newNotes(in: context)
        let found: (shown: String, problems: [String], notes: [String])
        var known: SemanticVersion?
        do throws(OperationFailure) {
            let version = try facts.version(for: request)
            known = version
            let doubts = try facts.doubts(about: request)
            let more = [
                facts.otherBranchNote(in: version, for: request), facts.tags.last == nil ? nil : facts.shallow,
            ]
            found = (
                facts.explained(version, for: request, asked: text), facts.problems(with: version, for: request),
                more.compactMap { $0 } + doubts + notes
            )
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            let shallow = facts.tags.last == nil ? nil : facts.shallow
            found = (text, facts.occurrences.problems + [error.message], notes + [shallow].compactMap { $0 })
        }
        self.init(
            shown: found.shown, problems: found.problems, notes: found.notes, version: known,
            last: facts.tags.last?.version)
    }

    private init(
        shown: String, problems: [String], notes: [String] = [], version: SemanticVersion? = nil,
        last: SemanticVersion? = nil
    ) {
        (self.shown, self.problems, self.notes) = (shown, problems, notes)
        (self.version, self.last) = (version, last)
    }

    /// Returns a Boolean value that indicates whether a branch beside the default one is meant for this version: a
    /// prerelease, or a patch of an older version.
    package func isExpected(on branch: String) -> Bool {
        version?.isPrerelease ?? false || last.map { ReleaseLine.names($0, in: branch) } ?? false
    }
}
