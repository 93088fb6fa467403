package import Actions
import Git
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
            (shown, problems, notes) = (text, [VersionRequest.errorMessage(for: text)], [])
            return
        }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        do throws(OperationFailure) {
            let version = try facts.version(for: request)
            shown = facts.explained(version, for: request, asked: text)
            problems = facts.problems(with: version)
            notes = [facts.otherBranchNote(in: version, for: request), facts.tags.last == nil ? nil : facts.shallow]
                .compactMap { $0 }
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            (shown, problems, notes) = (
                text, facts.occurrences.problems + [error.message, facts.shallow].compactMap { $0 }, []
            )
        }
    }
}
