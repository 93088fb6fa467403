package import LaneModel
package import LaneRun

import Diagnostics
import Git
import SemVer

/// The check of a requested version for a plan or a run.
package struct VersionCheck {
    /// The version for plans, with an explanation, or as written if it cannot be computed.
    package let shown: String
    /// The reasons against the version.
    package let problems: [String]
    /// Notes about unexpected properties of the version.
    package let notes: [String]

    /// Creates a check, or returns `nil` if the settings contain no version.
    package init?(of settings: Settings, in context: StepContext) throws(StepFailure) {
        guard let text = settings.string("version") else { return nil }
        guard let request = VersionRequest(text) else {
            (shown, problems, notes) = (text, [VersionRequest.errorMessage(for: text)], [])
            return
        }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        do throws(StepFailure) {
            let version = try facts.version(for: request)
            shown = facts.explained(version, for: request, asked: text)
            problems = facts.problems(with: version)
            notes = [facts.surprise(in: version, for: request), facts.tags.last == nil ? nil : facts.shallow]
                .compactMap { $0 }
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            (shown, problems, notes) = (
                text, facts.occurrences.problems + [error.message, facts.shallow].compactMap { $0 }, []
            )
        }
    }
}
