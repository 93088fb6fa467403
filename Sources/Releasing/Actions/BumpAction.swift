package import LaneModel
package import LaneRun

import Diagnostics
import LaneEvents

/// `bump`: writes the next version into every place that names it.
package struct BumpAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings, writing: settings.string("version") ?? "the version that the commits ask for")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else {
            return StepForecast(summary(of: settings), obstacles: [VersionRequest.refusal(of: text ?? "")])
        }
        do throws(StepFailure) {
            let facts = try VersionFacts.read(
                Git(context), root: context.directory, files: VersionPlaces.NamedFile.read(settings))
            let version = try facts.version(for: request)
            return StepForecast(
                summary(
                    settings, facts, writing: version, shown: facts.explained(version, for: request, asked: text)),
                outputs: outputs(version, facts), obstacles: facts.problems(with: version))
        } catch {
            return StepForecast(summary(of: settings), obstacles: [error.message])
        }
    }

    private func summary(_ settings: Settings, writing version: String) -> String {
        let files = VersionPlaces.NamedFile.read(settings)?.map(\.path)
        return "write \(version) into \(files.map(list) ?? "every file that names the version")"
    }

    private func summary(_ settings: Settings, _ facts: VersionFacts, writing version: SemanticVersion, shown: String)
        -> String
    {
        if settings["files"] != nil { return summary(settings, writing: shown) }
        let stale = facts.places.places.filter { $0.replacement(for: version) != nil }
        if let reason = reasonForNone(stale, among: facts.places, version) { return "write \(shown): \(reason)" }
        var files: [String] = []
        for place in stale where !files.contains(place.file) { files.append(place.file) }
        return "write \(shown) into \(list(files))"
    }

    /// The first few: more would make a plan's row, or a note, hard to read.
    private func list(_ files: [String]) -> String {
        let most = 6
        let rest = files.count > most ? " and \(files.count - most) more" : ""
        return files.prefix(most).joined(separator: ", ") + rest
    }

    /// Why no file is to be changed, where that is so.
    private func reasonForNone(
        _ stale: [VersionPlace], among places: VersionPlaces, _ version: SemanticVersion
    ) -> String? {
        if places.places.isEmpty { return "no file names the version; the tag will" }
        return stale.isEmpty ? "every file names \(version) already" : nil
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else { throw .refused([VersionRequest.refusal(of: text ?? "")]) }
        let facts = try VersionFacts.read(
            Git(context), root: context.directory, files: VersionPlaces.NamedFile.read(settings))
        let version = try facts.version(for: request)
        let problems = facts.problems(with: version)
        guard problems.isEmpty else { throw .refused(problems) }
        context.transaction?.notes.setVersion(version.description)

        let places = facts.places.places
        let stale = places.filter { $0.replacement(for: version) != nil }
        let outputs = outputs(version, facts)
        if let reason = reasonForNone(stale, among: facts.places, version) {
            try tellOfOldMentions(facts, version, in: context)
            return StepResult(outputs: outputs, skipReason: reason)
        }
        let files = try VersionEdit(root: context.directory, places: stale).write(version)
        for place in stale {
            context.tell(.note, "\(place.location): \(place.text) → \(place.replacement(for: version) ?? "")")
        }
        try tellOfOldMentions(facts, version, in: context)
        return StepResult(outputs: outputs.merging(["files": .list(files.map { .string($0) })]) { $1 })
    }

    /// Nothing that may have been meant is passed over in silence.
    private func tellOfOldMentions(
        _ facts: VersionFacts, _ version: SemanticVersion, in context: StepContext
    ) throws(StepFailure) {
        guard let previous = facts.tags.last?.version ?? facts.places.version, previous != version else { return }
        let mentions = try OldMentions(of: previous, in: Git(context))
        guard !mentions.isEmpty else { return }
        context.tell(
            .note, "\(previous) is still named in \(mentions.text)\nhint: name those to change in 'files' of 'bump'")
    }

    private func outputs(_ version: SemanticVersion, _ facts: VersionFacts) -> [String: Value] {
        [
            "version": .string(version.description), "tag": .string(facts.tags.prefix + version.description),
            "previous": (facts.tags.last?.version ?? facts.places.version).map { .string($0.description) } ?? .null,
        ]
    }
}
