package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text

/// The `bump` action: writes the next version to every file that names it, and the date of its release beside it.
package struct BumpAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "bump", "Write the next version to every file that names it", shorthand: "version",
        settings: [
            SettingSchema("version", .version, "The next version; computed from the commits by default"),
            VersionOccurrences.NamedFile.setting("The files that name the version; detected by default"),
        ],
        outputs: [
            ActionOutput("version", .string, "The new version"),
            ActionOutput("tag", .string, "The name of its tag"),
            ActionOutput("previous", .string, "The last version, if there is one"),
            ActionOutput("files", .list, "The changed files, if any"),
        ],
        example: """
            - bump: minor
            - bump:
                version: ${{ parameters.version }}
                files: [Sources/Shape/Version.swift, { path: setup.txt, pattern: "v{version}" }, { path: ports.txt, count: 2 }]
            """)

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
            let stale = stale(facts, version)
            return StepForecast(
                summary(
                    settings, facts, writing: version, shown: facts.explained(version, for: request, asked: text)),
                outputs: outputs(version, facts), obstacles: facts.problems(with: version, for: request),
                notes: facts.newNotes(in: context) + StaleChecksums.notes(stale, in: context.directory),
                details: try edit(stale, context).differences(to: version))
        } catch {
            // Without a version, no file is written.
            let isRefused = error.status == ExitStatus.refused.rawValue
            return StepForecast(isRefused ? "write no version" : summary(of: settings), obstacles: [error.message])
        }
    }

    private func edit(
        _ stale: [VersionOccurrence], _ context: StepContext
    ) throws(OperationFailure) -> VersionEdit {
        VersionEdit(root: context.directory, occurrences: stale, date: try context.releaseDate())
    }

    private func summary(_ settings: Settings, writing version: String) -> String {
        let files = VersionOccurrences.NamedFile.read(settings)?.map(\.path)
        return "write \(version) to \(files.map { list($0, most: 6) } ?? "every file that names the version")"
    }

    private func summary(_ settings: Settings, _ facts: VersionFacts, writing version: SemanticVersion, shown: String)
        -> String
    {
        if settings["files"] != nil { return summary(settings, writing: shown) }
        let stale = stale(facts, version)
        if let reason = reasonForNone(stale, among: facts, version) { return "write \(shown): \(reason)" }
        var files: [String] = []
        for occurrence in stale where !files.contains(occurrence.file) { files.append(occurrence.file) }
        return "write \(shown) to \(list(files, most: 6))"
    }

    /// Returns the occurrences that another version replaces.
    private func stale(_ facts: VersionFacts, _ version: SemanticVersion) -> [VersionOccurrence] {
        facts.occurrences.occurrences.filter { $0.replacement(for: version) != nil }
    }

    /// Returns the reason why no file needs a change, or `nil` if at least one does.
    private func reasonForNone(
        _ stale: [VersionOccurrence], among facts: VersionFacts, _ version: SemanticVersion
    ) -> String? {
        guard stale.isEmpty else { return nil }
        if !facts.occurrences.occurrences.isEmpty { return "every file already names \(version)" }
        return facts.occurrences.notes.isEmpty
            ? "no file names the version, only the tag will" : "no file that names the version can be changed"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else { throw .refused([VersionRequest.errorMessage(for: text ?? "")]) }
        let facts = try VersionFacts.read(context, files: VersionOccurrences.NamedFile.read(settings))
        let version = try facts.version(for: request)
        let problems = facts.problems(with: version, for: request)
        guard problems.isEmpty else { throw .refused(problems) }
        context.releases.set(PlannedRelease(version: version, tag: facts.tags.prefix + version.description))

        for note in facts.newNotes(in: context) { context.report(.warning, note) }
        let stale = stale(facts, version)
        let outputs = outputs(version, facts)
        if let reason = reasonForNone(stale, among: facts, version) {
            try reportOldMentions(facts, version, in: context)
            return StepResult(outputs: outputs, skipReason: reason)
        }
        let edits = try edit(stale, context).write(version)
        for edit in edits { context.report(.note, "\(edit.file):\(Self.text(of: edit.changes))") }
        for note in StaleChecksums.notes(stale, in: context.directory) { context.report(.warning, note) }
        try reportOldMentions(facts, version, in: context)
        return StepResult(outputs: outputs.merging(["files": .list(edits.map { .string($0.file) })]) { $1 })
    }

    /// Returns the text of a file's changes, such as `3,7: 0.1.0 → 0.2.0, 9: 0.1 → 0.2`.
    private static func text(of changes: [VersionEdit.Change]) -> String {
        var texts: [(text: String, lines: [String])] = []
        for change in changes {
            let text = "\(change.old) → \(change.new)"
            let index = texts.firstIndex { $0.text == text }
            if let index {
                texts[index].lines.append("\(change.line)")
            } else {
                texts.append((text, ["\(change.line)"]))
            }
        }
        return texts.map { "\($0.lines.joined(separator: ",")): \($0.text)" }.joined(separator: ", ")
    }

    /// Reports files that still name the previous version. A list of many lines is a file.
    private func reportOldMentions(
        _ facts: VersionFacts, _ version: SemanticVersion, in context: StepContext
    ) throws(OperationFailure) {
        guard let previous = facts.tags.last?.version ?? facts.occurrences.version, previous != version else { return }
        let mentions = try OldMentions(of: previous, in: Git(context))
        guard !mentions.isEmpty else { return }
        let hint = "\nhint: add files to change to 'files' of 'bump'"
        let list = ".lane/old-version.txt"
        if mentions.isShort {
            context.report(.note, "\(previous) is still named in \(mentions.text)\(hint)")
        } else {
            try convertingFileErrors { () throws(FileError) in
                try makeDirectories("\(context.root)/.lane")
                try writeFile(mentions.lines, to: "\(context.root)/\(list)")
            }
            context.report(.note, "\(previous) is still named in \(mentions.count), listed in \(list)\(hint)")
        }
    }

    private func outputs(_ version: SemanticVersion, _ facts: VersionFacts) -> [String: Value] {
        [
            "version": .string(version.description), "tag": .string(facts.tags.prefix + version.description),
            "previous": (facts.tags.last?.version ?? facts.occurrences.version).map { .string($0.description) }
                ?? .null,
        ]
    }
}
