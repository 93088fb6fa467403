package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text

/// The `changelog` action: writes the section of the next version.
package struct ChangelogAction: StepAction {
    private let now: @Sendable () -> Int64

    /// Creates an action. `now` returns the time in seconds since 1970, which `SOURCE_DATE_EPOCH` overrides.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    package func summary(of settings: Settings) -> String {
        "\(summary(of: settings.string("version"))) in \(file(settings))"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let version = PlannedVersion(settings, in: context, after: earlier)?.version
        let words = summary(of: version ?? settings.string("version"))
        let name = file(settings)
        guard let present = ChangelogFile.present(in: context.directory, name: name) else {
            let unrecognized = ChangelogFile.unrecognized(in: context.directory, name: name)
            return StepForecast("\(words) in \(name), a new file" + (unrecognized.map { "; \(unchanged($0))" } ?? ""))
        }
        var changelog = try? ChangelogFile.read(in: context.directory, name: present)
        let isWritten = version.flatMap { SemanticVersion($0) }.map { changelog?.isReleased($0) ?? false } ?? false
        if !isWritten, let planned = version.flatMap({ SemanticVersion($0) }) {
            do throws(ChangelogProblem) {
                try changelog?.release(
                    planned, date: "2000-01-01", entries: [], tag: planned.description, previousTag: nil, address: nil)
            } catch {
                let reason = error.refusal(in: present).message.lines.first ?? ""
                return StepForecast("\(words) in \(present)", obstacles: [reason])
            }
        }
        return StepForecast(isWritten ? "keep the section of \(version ?? "") in \(present)" : "\(words) in \(present)")
    }

    private func summary(of version: String?) -> String { "write the section of \(version ?? "the new version")" }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let working = try WorkingVersion.find(settings, in: context)
        let name = ChangelogFile.present(in: context.directory, name: file(settings)) ?? file(settings)
        var changelog = try ChangelogFile.read(in: context.directory, name: name) ?? Changelog("")
        if changelog.isReleased(working.version),
            let notes = try ChangelogFile.notes(for: working.version, in: changelog, named: name)
        {
            return StepResult(
                outputs: ["notes": .string(notes)], skipReason: "there is already a section for \(working.version)")
        }
        let history = if let facts = working.facts { facts.history } else { try ReleaseHistory.read(context) }
        let names = context.transaction?.values[PackageNames.self]
        let origin = if let names { names.origin } else { try Git(context).origin().flatMap { RemoteAddress($0) } }
        let tags = history.tags
        // The section of a final version also contains the notes of its prereleases.
        let candidates = changelog.candidates(of: working.version)
        let isFinal = !working.version.isPrerelease
        let start = isFinal && candidates.isEmpty ? tags.lastFinal : tags.last
        let entries = CommitEntry.list(try history.commits(since: start)).reversed()
        let seconds = try context.sourceDate() ?? now()
        do throws(ChangelogProblem) {
            try changelog.release(
                working.version, date: Instant(secondsSince1970: seconds).date.description, entries: Array(entries),
                tag: working.tag, previousTag: (isFinal ? tags.lastFinal ?? tags.last : tags.last)?.name,
                address: origin?.page)
        } catch {
            throw error.refusal(in: name)
        }
        let notes = try ChangelogFile.notes(for: working.version, in: changelog, named: name)
        if let unrecognized = ChangelogFile.unrecognized(in: context.directory, name: name) {
            context.report(.note, unchanged(unrecognized))
        }
        let bytes = changelog.bytes
        try convertingFileErrors { () throws(FileError) in try writeFile(bytes, to: "\(context.directory)/\(name)") }
        return StepResult(outputs: ["notes": .string(notes ?? "")])
    }

    private func unchanged(_ file: String) -> String {
        "'\(file)' is not changed, because no heading in it names a version"
    }

    private func file(_ settings: Settings) -> String { settings.string("file") ?? ChangelogFile.name }
}
