package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Packaging
import Text

/// The `publish` action: creates the release of a tag on GitHub, or completes it.
///
/// The action can be repeated at any time. It does not change a complete release.
package struct PublishAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "publish", "Create the release of a tag, or complete it", shorthand: "to",
        settings: [
            SettingSchema("to", .choice(["github"]), "The service to publish to", isRequired: true),
            SettingSchema("tag", .string, "The tag; the version tag of HEAD by default"),
            SettingSchema(
                "files", .list(.path),
                "The files to upload, as paths or glob patterns; by default the files of 'package' and 'checksum' in 'dist'"
            ),
            SettingSchema("name", .string, "The title of the release; the tag by default"),
            SettingSchema(
                "notes", .string, "The text of the release; the version's section of CHANGELOG.md by default"),
            SettingSchema("draft", .bool, "Create a draft to be published manually"),
            SettingSchema("push", .bool, "Push the branch and the tag together first, without force"),
        ] + PublishTarget.settings + [
            SettingSchema("replace", .bool, "Replace files that differ in a published release")
        ],
        outputs: [
            ActionOutput("url", .string, "The address of the release"),
            ActionOutput("tag", .string, "The tag"),
            ActionOutput("draft", .bool, "The release is a draft"),
            ActionOutput("files", .list, "The names of its files"),
        ],
        example: """
            - publish: github
            - publish:
                to: github
                push: true
                remote: origin
                repository: example/shape
                tag: v1.2.0
                name: Shape 1.2.0
                notes: Smaller and faster.
                files: [dist/*]
                token: GITHUB_TOKEN
                draft: true
                replace: false
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings, tag: settings.string("tag"))
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let tag = settings.string("tag") ?? earlier["tag"]?.text
        let version = earlier["version"]?.text
        let requests = tag.flatMap { try? PlannedRequests(settings, context, tag: $0, version: version).all } ?? []
        return StepForecast(summary(settings, tag: tag), details: requests.map { .request($0) })
    }

    private func summary(_ settings: Settings, tag: String?) -> String {
        let tag = tag.map { "'\($0)'" } ?? "the version tag of HEAD"
        let files = settings.strings("files")?.joined(separator: ", ") ?? "the files of package and checksum"
        let end = settings.bool("draft") == true ? "and keep the draft" : "and publish it"
        let push =
            settings.bool("push") == true ? "push branch and tag to \(settings.remote), " : ""
        return "\(push)create or complete the GitHub release of \(tag): create a draft, upload \(files), \(end)"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        if let reason = context.releases.reasonToSkipFinalSteps { return StepResult(skipReason: reason) }
        let order = try ReleaseOrder(settings, context)
        if order.hasPushed { try push(order, context) }
        let directory = try context.makeScratchDirectory("publish")
        defer { try? removeTree(directory) }
        if order.text.notes.isEmpty {
            context.report(
                .note, "the release has no text, because there is no section of CHANGELOG.md and no 'notes'")
        }
        if order.files.isEmpty, settings.strings("files") == nil {
            context.report(.note, "\(PackageOrder.noProducts): the release has no files")
        }
        let client = GitHubClient(
            context, base: order.base, token: order.token, tokenName: order.tokenName, directory: directory)
        let releases = GitHubReleases(client: client, repository: order.repository)
        let outcome = try ReleasePublisher(releases: releases, order: order).run()
        let release = outcome.release
        let outputs: [String: Value] = [
            "url": .string(release.page), "tag": .string(release.tag), "draft": .bool(release.isDraft),
            "files": .list(order.files.map { .string($0.name) }),
        ]
        guard outcome.hasChanged else {
            let state = release.isDraft ? "a draft" : "public"
            return StepResult(
                outputs: outputs, skipReason: "the release is \(state) with all its files: \(release.page)")
        }
        context.report(.note, "\(release.isDraft ? "a draft" : "public"): \(release.page)")
        return StepResult(outputs: outputs)
    }

    /// Pushes the branch and the tag atomically and without force. If the remote branch already contains the commit and
    /// later ones, pushes only the tag.
    private func push(_ order: ReleaseOrder, _ context: StepContext) throws(OperationFailure) {
        let git = Git(context)
        try PushRecord.add(order.remote, object: order.tagObject, git)
        // With only one name for each reference, git would read the destination and `force` from its configuration.
        let words = ["push", "--porcelain", "--atomic", "--no-follow-tags", "--", order.remote]
        var run = try git.attempt(words + order.pushed.map { "\($0):\($0)" })
        if let branch = PushReport(run).branchAhead, try git.isHead(in: branch, of: order.remote) {
            run = try git.attempt(words + order.pushed.filter { $0.hasPrefix("refs/tags/") }.map { "\($0):\($0)" })
        }
        guard !run.report.succeeded else { return }
        let (report, hook) = try PushReport.refusal(run, git)
        let lane = context.step.description.prefix { $0 != "/" }
        let abort = "'lane \(lane) --abort' undoes it"
        let reason: String
        let hint: String
        if let branch = report.branchAhead {
            reason = "'\(order.remote)' has commits in '\(branch)' that are not in this repository"
            hint =
                "git pull --no-rebase \(order.remote) \(branch), and run the same command with --resume; after --rebase it "
                + "makes the release again; \(abort)"
        } else if let tag = report.existingTag {
            reason = "'\(order.remote)' has another tag '\(tag)'"
            hint = abort
        } else {
            reason = hook ?? "'\(order.remote)' rejected the push: \(report.reason)"
            hint = "run the same command with --resume to retry; \(abort)"
        }
        throw .refused([
            reason + (reason.contains("\n") ? "\n" : ", so ")
                + "nothing was pushed; the release '\(order.text.tag)' exists only in this repository\nhint: \(hint)"
        ])
    }
}

/// The requests of `publish` for a new release, in order, if each succeeds. The files are those of the last version.
struct PlannedRequests {
    let all: [String]

    /// - Parameter version: The version of the tag, if it is known.
    init(_ settings: Settings, _ context: StepContext, tag: String, version: String?) throws(OperationFailure) {
        let git = Git(context)
        let (repository, base) = try PublishTarget.find(settings, context.environment, git)
        var all: [String] = []
        if settings.bool("push") == true {
            let references = [try git.currentBranch(), "refs/tags/\(tag)"].compactMap(\.self)
            all.append(ShellWords.line(["git", "push", "--atomic", settings.remote] + references))
        }
        let files = settings.strings("files")?.map(lastPathComponent) ?? Self.files(of: version, in: context)
        all += GitHubReleases.requests(
            of: repository, at: base, tag: tag, files: files, staysDraft: settings.bool("draft") ?? false)
        self.all = all
    }

    /// Returns the names of the last files with the new version, or `FILE` if there are none.
    private static func files(of version: String?, in context: StepContext) -> [String] {
        guard let last = ReleaseManifest.last(in: "\(context.root)/dist"), let version else { return ["FILE"] }
        return last.files.map { $0.name.replacing(last.version.description, with: version) }
    }
}
