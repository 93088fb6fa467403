package import LaneModel
package import LaneRun

import Dates
import Files

/// `changelog`: makes the section of the next version.
package struct ChangelogAction: StepAction {
    private let now: @Sendable () -> Int64

    /// `now` gives seconds since 1970; `SOURCE_DATE_EPOCH` in the step's environment wins over it.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    package func summary(of settings: Settings) -> String {
        summary(settings, of: settings.string("version") ?? "the new version")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let planned = PlannedVersion(settings, in: context, after: earlier)
        return StepForecast(planned.map { summary(settings, of: $0.version) } ?? summary(of: settings))
    }

    private func summary(_ settings: Settings, of version: String) -> String {
        "write the section of \(version) in \(file(settings))"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let working = try WorkingVersion.find(settings, in: context)
        let path = "\(context.directory)/\(file(settings))"
        var changelog = try ChangelogFile.read(in: context.directory, name: file(settings)) ?? Changelog("")
        if let notes = changelog.notes(for: working.version) {
            return StepResult(
                outputs: ["notes": .string(notes)], skipReason: "there is a section for \(working.version) already")
        }
        let entries = try working.facts.commits().reversed().compactMap { CommitEntry($0) }
        let seconds = try context.sourceDate() ?? now()
        changelog.release(
            working.version, date: Instant(secondsSince1970: seconds).date.description, entries: entries,
            tag: working.tag, previousTag: working.facts.tags.last?.name,
            address: try Git(context).origin().flatMap { RemoteAddress($0)?.page })
        let text = changelog.text
        try onFiles { () throws(FileError) in try writeFile(text, to: path) }
        return StepResult(outputs: ["notes": .string(changelog.notes(for: working.version) ?? "")])
    }

    private func file(_ settings: Settings) -> String { settings.string("file") ?? ChangelogFile.name }
}
