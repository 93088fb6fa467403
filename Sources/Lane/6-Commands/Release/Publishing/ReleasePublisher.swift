import LaneModel
import OperatingSystem
import Text

/// A publisher of a tag's release. It starts from any state: no release, an incomplete draft, or a complete release.
///
/// The release is published after all files are uploaded, because a published release may be immutable. All operations
/// can be repeated. Files that exist with the same content are not uploaded again.
struct ReleasePublisher {
    let releases: GitHubReleases
    let order: ReleaseOrder

    struct Outcome {
        let release: GitHubRelease
        let hasChanged: Bool
    }

    func run() throws(OperationFailure) -> Outcome {
        try checkTag()
        let (release, isNew) = try find()
        let hasUploaded = try complete(release)
        guard release.isDraft else { return Outcome(release: release, hasChanged: hasUploaded) }
        if order.staysDraft {
            guard release.isOurs,
                release.body.plainLines != order.text.body.plainLines || release.name != order.text.name
            else { return Outcome(release: release, hasChanged: isNew || hasUploaded) }
            return Outcome(release: try releases.change(release, to: order.text.json(isDraft: true)), hasChanged: true)
        }
        // Someone else wrote the text of this draft, so it is kept.
        let json = release.isOurs ? order.text.json(isDraft: false) : Array(#"{"draft":false}"#.utf8)
        return Outcome(release: try releases.change(release, to: json), hasChanged: true)
    }

    /// Throws an error if the tag is missing in the remote repository or differs there.
    private func checkTag() throws(OperationFailure) {
        var found = try releases.object(ofTag: order.text.tag)
        for attempt in 2...4 where found == nil && order.hasPushed {
            try releases.client.pause(beforeAttempt: attempt, because: "the pushed tag is not available yet")
            found = try releases.object(ofTag: order.text.tag)
        }
        guard let found else {
            throw .refused([
                "'\(releases.repository)' has no tag '\(order.text.tag)', or the token has no access to it\n"
                    + "hint: set 'push: true', or push it: \(pushCommand)"
            ])
        }
        guard found == order.tagObject else {
            throw .refused([
                "the tag '\(order.text.tag)' differs in '\(releases.repository)': "
                    + "expected \(order.tagObject.prefix(12)), found \(found.prefix(12))"
            ])
        }
    }

    /// The command that pushes the tag, even if a branch has the same name.
    private var pushCommand: String {
        ShellWords.line(["git", "push", order.remote, "refs/tags/\(order.text.tag)"])
    }

    /// Returns the release of the tag, or creates a draft.
    private func find() throws(OperationFailure) -> (release: GitHubRelease, isNew: Bool) {
        if let release = try releases.published(order.text.tag) { return (release, false) }
        for attempt in 2...6 {
            if let draft = try onlyDraft() { return (draft, attempt > 2) }
            if let release = try releases.makeDraft(order.text) { return (release, true) }
            try releases.client.pause(beforeAttempt: attempt, because: "no answer to the request for a new release")
        }
        throw OperationFailure("GitHub did not create a release after 5 attempts\nhint: run it again to continue")
    }

    /// Returns the draft. A lost answer may lead to a second draft. Removes an empty one.
    private func onlyDraft() throws(OperationFailure) -> GitHubRelease? {
        let drafts = try releases.drafts(order.text.tag)
        guard drafts.count > 1 else { return drafts.first }
        var counted: [(draft: GitHubRelease, assets: Int)] = []
        for draft in drafts { counted.append((draft, try releases.assets(of: draft).count)) }
        counted.sort { ($1.assets, $0.draft.id) < ($0.assets, $1.draft.id) }
        guard counted.dropFirst().allSatisfy({ $0.draft.isOurs && $0.assets == 0 }) else {
            throw .refused([
                "'\(releases.repository)' has \(drafts.count) drafts of '\(order.text.tag)'\n"
                    + "hint: remove all but one: \(list(drafts.map(\.page), joinedBy: "and"))"
            ])
        }
        for (draft, _) in counted.dropFirst() { try releases.remove(draft) }
        return counted[0].draft
    }

    // MARK: Files

    /// Uploads missing files until the release is complete. Returns `true` if there were any.
    private func complete(_ release: GitHubRelease) throws(OperationFailure) -> Bool {
        for attempt in 1...6 {
            let work = try work(on: release)
            if work.isEmpty { return attempt > 1 }
            // The last iteration only checks the result of the previous attempt.
            if attempt == 6 { break }
            if release.isImmutable {
                throw .refused([
                    "the release of '\(order.text.tag)' is immutable and lacks "
                        + list(work.map { "'\($0.file.name)'" }, joinedBy: "and") + "\nhint: release a new version"
                ])
            }
            if attempt > 1 { try releases.client.pause(beforeAttempt: attempt, because: "not all files are uploaded") }
            for (file, stale) in work {
                if let stale { try releases.remove(stale) }
                releases.client.note("uploading \(file.name)")
                // If there is no answer, the next iteration lists the files and finds the result.
                _ = try releases.upload(file, to: release)
            }
        }
        throw OperationFailure("not all files are uploaded after 5 attempts\nhint: run it again to continue")
    }

    /// Returns the files to upload, each with the outdated asset to remove.
    private func work(on release: GitHubRelease) throws(OperationFailure) -> [(file: ReleaseFile, stale: GitHubAsset?)]
    {
        let present = try releases.assets(of: release)
        var work: [(file: ReleaseFile, stale: GitHubAsset?)] = []
        var problems: [String] = []
        for file in order.files {
            guard let asset = present.first(where: { $0.name == file.name }) else {
                work.append((file, nil))
                continue
            }
            if !asset.isUploaded {
                work.append((file, asset))
            } else if let difference = try difference(between: file, and: asset) {
                guard (release.isDraft && release.isOurs) || order.replaces else {
                    problems.append("'\(file.name)' is in the release with different content: \(difference)")
                    continue
                }
                work.append((file, asset))
            }
        }
        guard problems.isEmpty else {
            problems[problems.count - 1] += "\nhint: set 'replace: true' to replace the files of \(release.page)"
            throw .refused(problems)
        }
        return work
    }

    private func difference(between file: ReleaseFile, and asset: GitHubAsset) throws(OperationFailure) -> String? {
        guard file.size == asset.size else { return "expected \(file.size) bytes, found \(asset.size)" }
        let found: String
        if let digest = asset.sha256 { found = digest } else { found = try releases.digest(of: asset) }
        return found == file.sha256 ? nil : "expected the SHA-256 \(file.sha256), found \(found)"
    }
}

extension String {
    /// The lines without trailing whitespace, which servers may change.
    var plainLines: [String] {
        var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
