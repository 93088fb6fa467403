package import Actions
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `commit` action: commits the changes of the previous steps.
package struct CommitAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "commit", "Commit the changes of the previous steps", shorthand: "message",
        settings: [
            SettingSchema("message", .string, "The commit message"),
            SettingSchema("files", .list(.path), "The only files to commit"),
        ],
        outputs: [
            ActionOutput("commit", .string, "The full hash of the commit")
        ],
        example: """
            - commit: Release ${{ parameters.version }}
            - commit: { message: "Update the grammar", files: [Sources/Grammar] }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings.string("message") ?? "Release …")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        if settings.string("message") != nil { return StepForecast(summary(of: settings)) }
        let planned = WorkingVersion.forecast(Settings(), in: context, after: earlier)
        return StepForecast(planned.map { summary("Release \($0.version)") } ?? summary(of: settings))
    }

    private func summary(_ message: String) -> String { "commit as '\(message)'" }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let git = Git(context)
        let staging = ChangeStaging(git: git)
        if let files = settings.strings("files") { try staging.stage(files) } else { try staging.stageAll() }
        let nothing = StepResult(skipReason: "nothing to commit")
        let knownMessage =
            settings.string("message") ?? WorkingVersion.planned(in: context).map { "Release \($0.version)" }
        if knownMessage == nil, try hasNothingStaged(git) { return nothing }
        let message =
            if let knownMessage { knownMessage } else {
                "Release \(try WorkingVersion.find(Settings(), in: context).version)"
            }
        // The message is UTF-8, which git must not convert. The hash in the output must not be abbreviated.
        let author = try Self.author(git, context)
        let run = try author.attempt(
            ["-c", "i18n.commitEncoding=UTF-8", "-c", "core.abbrev=no", "commit", "--file=-"],
            input: Array(message.utf8), settings: author.releaseDates)
        guard run.report.succeeded else {
            if run.report.stoppedBy == nil, try hasNothingStaged(git) { return nothing }
            throw author.failure(
                of: "git commit", run, making: "commit", hooks: ["pre-commit", "prepare-commit-msg", "commit-msg"])
        }
        let hash = Self.hash(in: run.text)
        let commit = if let hash { hash } else { try git.text(["rev-parse", "HEAD"]) }
        // Later steps may take long.
        try context.transaction?.check(commit: commit)
        return StepResult(outputs: ["commit": .string(commit)])
    }

    /// Returns git with the identity of the user's checkout.
    private static func author(_ git: Git, _ context: StepContext) throws(OperationFailure) -> Git {
        guard let values = context.transaction?.values else { return git }
        let checkout = Git(context, in: context.root)
        let known = values[ReleaseSettings.self]
        let settings = if let known { known } else { try ReleaseSettings.read(checkout) }
        let configuration = try CommitConfiguration.read(settings, of: checkout, for: git)
        values[ReleaseSettings.self] = settings
        values[CommitConfiguration.self] = configuration
        return configuration.applied(to: git)
    }

    private func hasNothingStaged(_ git: Git) throws(OperationFailure) -> Bool {
        try git.attempt(["diff", "--cached", "--quiet"]).report.status == 0
    }

    /// Returns the hash in the output of `git commit`, such as `[main 1f0…] Release 0.2.0`.
    private static func hash(in output: String) -> String? {
        let words = (output.lines.first ?? "").split(separator: " ")
        return words.first { $0.last == "]" }.map { String($0.dropLast()) }.flatMap { word in
            (word.utf8.count == 40 || word.utf8.count == 64) && word.utf8.allSatisfy(\.isHexDigit) ? word : nil
        }
    }
}

/// The changes that the `commit` action adds to the index.
///
/// Only `.` and the names of changed files are passed to `git add`. If a pathspec names an ignored directory, even one
/// to exclude, `git add` fails as soon as that directory exists.
struct ChangeStaging {
    let git: Git

    /// Stages all changes below the directory, except build products, packages and the state of `lane`, even if
    /// `.gitignore` does not list them.
    func stageAll() throws(OperationFailure) {
        let changes = try changes(of: ["."])
        let committed = changes.filter { !$0.isProduct }
        if committed.count == changes.count {
            try git.run(["add", "--all", "--", "."])
        } else {
            try add(committed)
        }
    }

    /// Stages the changes of files. Throws an error if a pathspec matches no file that can be committed.
    func stage(_ files: [String]) throws(OperationFailure) {
        let run = try git.attempt(["add", "--all", "--"] + files)
        if run.report.succeeded { return }
        // Git also fails with status 1 if a tracked file is in an ignored directory, or if a pathspec excludes one.
        let names = ["ls-files", "--cached", "--others", "--exclude-standard", "--error-unmatch", "--"]
        guard run.report.stoppedBy == nil, run.report.status == 1,
            try git.attempt(names + files).report.succeeded
        else { throw OperationFailure(of: "git add", run) }
        try add(changes(of: files))
    }

    /// Returns the changed and the untracked files that match pathspecs. Git ignores none of them.
    private func changes(of files: [String]) throws(OperationFailure) -> [Change] {
        let kinds = ["--modified", "--deleted", "--others", "--exclude-standard"]
        return try git.run(["ls-files", "-z", "-t"] + kinds + ["--"] + files).standardOutput.split(separator: 0)
            .map(Change.init)
    }

    /// Adds files by their names. A tracked file in an ignored directory needs `--force`.
    private func add(_ changes: [Change]) throws(OperationFailure) {
        guard !changes.isEmpty else { return }
        try git.run(
            ["add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"],
            input: Array(changes.map(\.path).joined(separator: [0])), settings: ["GIT_LITERAL_PATHSPECS": "1"])
    }

    /// A line of `git ls-files -t`. The path is relative to the directory of git, and may not be UTF-8.
    private struct Change {
        let isTracked: Bool
        let path: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            isTracked = line.first != UInt8(ascii: "?")
            path = line.dropFirst(2)
        }

        /// A Boolean value that indicates whether the file was created by a build, by `package` or by `lane`. A nested
        /// package also has build products.
        var isProduct: Bool {
            let components = path.split(separator: UInt8(ascii: "/"))
            guard let first = components.first else { return false }
            if [".build", ".lane", "dist"].contains(where: { first.elementsEqual($0.utf8) }) { return true }
            return !isTracked
                && components.contains { $0.elementsEqual(".build".utf8) || $0.elementsEqual(".lane".utf8) }
        }
    }
}
