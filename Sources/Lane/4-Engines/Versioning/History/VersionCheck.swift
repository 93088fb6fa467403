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

    /// Checks the version in `settings`. Returns `nil` if the settings contain no version.
    package init?(of settings: Settings, in context: StepContext) throws(OperationFailure) {
        guard let text = settings.string("version") else { return nil }
        guard let request = VersionRequest(text) else {
            self.init(shown: text, problems: [VersionRequest.errorMessage(for: text)], notes: [])
            return
        }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        let notes = facts.newNotes(in: context)
        let found: (shown: String, problems: [String], notes: [String])
        do throws(OperationFailure) {
            let version = try facts.version(for: request)
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
        self.init(shown: found.shown, problems: found.problems, notes: found.notes)
    }

    private init(shown: String, problems: [String], notes: [String]) {
        (self.shown, self.problems, self.notes) = (shown, problems, notes)
    }
}
