package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text

/// The `bump` action: writes the next version to every file that names it.
package struct BumpAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings, writing: settings.string("version") ?? "the version that the commits require")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else {
            return StepForecast(summary(of: settings), obstacles: [VersionRequest.errorMessage(for: text ?? "")])
        }
        do throws(OperationFailure) {
            let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
            let version = try facts.version(for: request)
            return StepForecast(
                summary(
                    settings, facts, writing: version, shown: facts.explained(version, for: request, asked: text)),
                outputs: outputs(version, facts), obstacles: facts.problems(with: version, for: request))
        } catch {
            return StepForecast(summary(of: settings), obstacles: [error.message])
        }
    }

    private func summary(_ settings: Settings, writing version: String) -> String {
        let files = VersionOccurrences.NamedFile.read(settings)?.map(\.path)
        return "write \(version) to \(files.map(list) ?? "every file that names the version")"
    }

    private func summary(_ settings: Settings, _ facts: VersionFacts, writing version: SemanticVersion, shown: String)
        -> String
    {
        if settings["files"] != nil { return summary(settings, writing: shown) }
        let stale = facts.occurrences.occurrences.filter { $0.replacement(for: version) != nil }
        if let reason = reasonForNone(stale, among: facts.occurrences, version) { return "write \(shown): \(reason)" }
        var files: [String] = []
        for occurrence in stale where !files.contains(occurrence.file) { files.append(occurrence.file) }
        return "write \(shown) to \(list(files))"
    }

    /// Returns the first few files and the number of others, which keeps messages short.
    private func list(_ files: [String]) -> String {
        let most = 6
        let rest = files.count > most ? " and \(files.count - most) more" : ""
        return files.prefix(most).joined(separator: ", ") + rest
    }

    /// Returns the reason why no file needs a change, or `nil` if at least one does.
    private func reasonForNone(
        _ stale: [VersionOccurrence], among occurrences: VersionOccurrences, _ version: SemanticVersion
    ) -> String? {
        if occurrences.occurrences.isEmpty { return "no file names the version, only the tag will" }
        return stale.isEmpty ? "every file already names \(version)" : nil
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else { throw .refused([VersionRequest.errorMessage(for: text ?? "")]) }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        let version = try facts.version(for: request)
        let problems = facts.problems(with: version, for: request)
        guard problems.isEmpty else { throw .refused(problems) }
        context.releases.set(PlannedRelease(version: version, tag: facts.tags.prefix + version.description))

        let occurrences = facts.occurrences.occurrences
        let stale = occurrences.filter { $0.replacement(for: version) != nil }
        let outputs = outputs(version, facts)
        if let reason = reasonForNone(stale, among: facts.occurrences, version) {
            try reportOldMentions(facts, version, in: context)
            return StepResult(outputs: outputs, skipReason: reason)
        }
        let files = try VersionEdit(root: context.directory, occurrences: stale).write(version)
        for occurrence in stale {
            context.report(
                .note, "\(occurrence.location): \(occurrence.text) → \(occurrence.replacement(for: version) ?? "")")
        }
        try reportOldMentions(facts, version, in: context)
        return StepResult(outputs: outputs.merging(["files": .list(files.map { .string($0) })]) { $1 })
    }

    /// Reports files that still name the previous version.
    private func reportOldMentions(
        _ facts: VersionFacts, _ version: SemanticVersion, in context: StepContext
    ) throws(OperationFailure) {
        guard let previous = facts.tags.last?.version ?? facts.occurrences.version, previous != version else { return }
        let mentions = try OldMentions(of: previous, in: Git(context))
        guard !mentions.isEmpty else { return }
        context.report(
            .note, "\(previous) is still named in \(mentions.text)\nhint: add files to change to 'files' of 'bump'")
    }

    private func outputs(_ version: SemanticVersion, _ facts: VersionFacts) -> [String: Value] {
        [
            "version": .string(version.description), "tag": .string(facts.tags.prefix + version.description),
            "previous": (facts.tags.last?.version ?? facts.occurrences.version).map { .string($0.description) }
                ?? .null,
        ]
    }
}
