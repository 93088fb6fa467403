package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text

/// The `changelog` action: writes the section of the next version.
package struct ChangelogAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "changelog", "Write the section of the next version from the commits",
        settings: [
            SettingSchema(
                "file", .path, "The changelog; by default also CHANGES or HISTORY", default: .string("CHANGELOG.md")),
            SettingSchema("version", .version, "The version; the version of 'bump' by default"),
        ],
        outputs: [
            ActionOutput("notes", .string, "The section of the version")
        ],
        example: """
            - changelog: {}
            - changelog: { file: HISTORY.md, version: 1.2.0 }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        "\(summary(of: settings.string("version"))) in \(file(settings))"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let planned = WorkingVersion.forecast(settings, in: context, after: earlier)
        let words = summary(of: planned?.version.description ?? settings.string("version"))
        let name = file(settings)
        let present = ChangelogFile.present(in: context.directory, name: name)
        let unrecognized = ChangelogFile.unrecognized(in: context.directory, name: name)
        let target = present ?? "\(name), a new file" + (unrecognized.map { "; \(unchanged($0))" } ?? "")
        guard let planned else { return StepForecast("\(words) in \(target)") }
        let version = planned.version
        do throws(OperationFailure) {
            var changelog = try ChangelogFile.read(in: context.directory, name: name) ?? Changelog("")
            if changelog.isReleased(version) { return StepForecast("keep the section of \(version) in \(target)") }
            // The text of a new file is a template.
            let old = present == nil ? "" : changelog.text
            let history = try? ReleaseHistory.read(context)
            try release(version, planned.tag, history, in: &changelog, named: present ?? name, context)
            let difference = UnifiedDiff(from: old, to: changelog.text).text(present ?? name)
            return StepForecast(
                "\(words) in \(target)", details: [.edit(file: present ?? name, difference: difference)])
        } catch {
            return StepForecast("\(words) in \(target)", obstacles: [error.message.lines.first ?? ""])
        }
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
        try release(working.version, working.tag, history, in: &changelog, named: name, context)
        let notes = try ChangelogFile.notes(for: working.version, in: changelog, named: name)
        if let unrecognized = ChangelogFile.unrecognized(in: context.directory, name: name) {
            context.report(.note, unchanged(unrecognized))
        }
        let bytes = changelog.bytes
        try convertingFileErrors(of: writeFile(bytes, to: "\(context.directory)/\(name)"))
        return StepResult(outputs: ["notes": .string(notes ?? "")])
    }

    /// Adds the section of a version to a changelog.
    ///
    /// - Parameter history: The commits, or `nil` if they are unknown.
    private func release(
        _ version: SemanticVersion, _ tag: String, _ history: ReleaseHistory?, in changelog: inout Changelog,
        named name: String, _ context: StepContext
    ) throws(OperationFailure) {
        let names = context.transaction?.values[PackageNames.self]
        let origin = if let names { names.origin } else { try Git(context).origin().flatMap { RemoteAddress($0) } }
        let tags = history?.tags
        // The section of a final version also contains the notes of its prereleases.
        let isFinal = !version.isPrerelease
        let start = isFinal && changelog.candidates(of: version).isEmpty ? tags?.lastFinal : tags?.last
        let entries = CommitEntry.list(try history?.commits(since: start) ?? []).reversed()
        let date = try context.releaseDate()
        do throws(ChangelogProblem) {
            try changelog.release(
                version, date: date, entries: Array(entries), tag: tag,
                previousTag: (isFinal ? tags?.lastFinal ?? tags?.last : tags?.last)?.name, address: origin?.page)
        } catch {
            throw error.refusal(in: name)
        }
    }

    private func unchanged(_ file: String) -> String {
        "'\(file)' is not changed, because no heading in it names a version"
    }

    private func file(_ settings: Settings) -> String { settings.string("file") ?? ChangelogFile.name }
}
