package import Actions
package import LaneModel
package import OperatingSystem
import Text

/// The result of checking a requested version.
package struct VersionCheck {
    /// The version with an explanation, for plans. If the version cannot be computed, the text of the setting.
    package private(set) var shown: String
    /// The reasons why the version cannot be released.
    package private(set) var problems: [String] = []
    /// Unexpected properties of the version.
    package private(set) var notes: [String] = []
    /// The version, and the one before it, if they are known.
    private var version: SemanticVersion?
    private var last: SemanticVersion?

    /// Checks the version in `settings`. Returns `nil` if the settings contain no version.
    package init?(of settings: Settings, in context: StepContext) throws(OperationFailure) {
        guard let text = settings.string("version") else { return nil }
        shown = text
        guard let request = VersionRequest(text) else {
            problems = [VersionRequest.errorMessage(for: text)]
            return
        }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        let newNotes = facts.newNotes(in: context)
        let shallow = facts.tags.last == nil ? nil : facts.shallow
        last = facts.tags.last?.version
        do throws(OperationFailure) {
            let version = try facts.version(for: request)
            self.version = version
            let doubts = try facts.doubts(about: request)
            shown = facts.explained(version, for: request, asked: text)
            problems = facts.problems(with: version, for: request)
            notes = [facts.otherBranchNote(in: version, for: request), shallow].compactMap(\.self) + doubts + newNotes
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            problems = facts.occurrences.problems + [error.message]
            notes = newNotes + [shallow].compactMap(\.self)
        }
    }

    /// Returns a Boolean value that indicates whether a branch beside the default one is meant for this version: a
    /// prerelease, or a patch of an older version.
    package func isExpected(on branch: String) -> Bool {
        version?.isPrerelease ?? false || last.map { ReleaseLine.names($0, in: branch) } ?? false
    }
}
