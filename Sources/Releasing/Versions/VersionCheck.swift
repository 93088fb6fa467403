import Diagnostics
import LaneModel
import LaneRun

/// Whether the version that is asked for can be released, found out once for a plan or a run.
struct VersionCheck {
    /// As a plan shows it: with what it is counted from, or as it was asked for where that cannot be worked out.
    let shown: String
    let problems: [String]
    /// The messages about what a user might not expect of it.
    let notes: [String]

    /// `nil` where the settings ask for none.
    init?(of settings: Settings, in context: StepContext) throws(StepFailure) {
        guard let text = settings.string("version") else { return nil }
        guard let request = VersionRequest(text) else {
            (shown, problems, notes) = (text, [VersionRequest.refusal(of: text)], [])
            return
        }
        let facts = try VersionFacts.read(
            Git(context), root: context.directory, files: VersionPlaces.NamedFile.read(settings))
        do throws(StepFailure) {
            let version = try facts.version(for: request)
            shown = facts.explained(version, for: request, asked: text)
            problems = facts.problems(with: version)
            notes = [facts.surprise(in: version, for: request), facts.tags.last == nil ? nil : facts.shallow]
                .compactMap { $0 }
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            (shown, problems, notes) = (
                text, facts.places.problems + [error.message, facts.shallow].compactMap { $0 }, []
            )
        }
    }
}
