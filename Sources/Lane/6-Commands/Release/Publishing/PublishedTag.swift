import Actions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// The tag of a release.
struct PublishedTag: Sendable {
    let name: String
    /// The hash of the tag object or of the commit.
    let object: String
    /// The hash of the commit.
    let commit: String
    let version: SemanticVersion?
    /// The versions of all tags of the package.
    let versions: [SemanticVersion]

    /// - Parameter planned: The tag of the version that a step of this run has determined, if any.
    static func find(_ settings: Settings, _ git: Git, planned: String?) throws(OperationFailure) -> PublishedTag {
        let format = "--format=%(refname:lstrip=2)"
        let here = try git.attempt(["for-each-ref", "--points-at=HEAD", format, "refs/tags"]).text.lines
        let all = try git.text(["for-each-ref", format, "refs/tags"]).lines.compactMap { ReleaseTag($0) }
        let package = try TaggedPackage.find(git, root: git.directory, in: Repository.find(git))
        let own = PackageTags(all, of: package).tags
        let newest = own.filter { here.contains($0.name) }.max { $0.version < $1.version }
        var found = settings.string("tag") ?? planned.flatMap { here.contains($0) ? $0 : nil } ?? newest?.name
        if found == nil { found = try GitTransactionSource.lastTag(git) }
        guard let name = found else {
            throw .refused(["no tag at HEAD names a version\nhint: create a tag, or set 'tag'"])
        }
        guard let id = try git.object(named: "refs/tags/\(name)") else {
            throw .refused(["there is no tag '\(name)'"])
        }
        let commit = try git.text(["rev-parse", "--verify", "refs/tags/\(name)^{commit}"])
        try TagSignature.check(id, named: name, requiredBy: ReleaseSettings.read(git).signature, git)
        let tag = ReleaseTag(name)
        // The tag in the settings may have another form than the package's tags.
        let related = own.contains { $0.name == name } ? own : all.filter { $0.subject == tag?.subject }
        return PublishedTag(
            name: name, object: id, commit: commit, version: tag?.version, versions: related.map(\.version))
    }

    /// - Parameter page: The web page of the repository, for the links in the notes.
    func text(_ settings: Settings, _ context: StepContext, page: String) throws(OperationFailure) -> ReleaseText {
        var notes = settings.string("notes")
        if notes == nil, let version {
            let directory = try Repository.find(Git(context)).prefix
            notes = try ChangelogFile.releaseText(for: version, in: context.directory) { file in
                TagPages(repository: page, tag: name, file: directory + file)
            }
        }
        let finals = versions.filter { !$0.isPrerelease }
        return ReleaseText(
            tag: name, name: settings.string("name") ?? name, notes: notes ?? "",
            isPrerelease: version?.isPrerelease ?? false,
            isLatest: version.map { version in !version.isPrerelease && !finals.contains { version < $0 } })
    }

    /// Returns a Boolean value that indicates whether a file name contains this version and not a longer version:
    /// `x-1.2.3-rc.1.zip` does not contain 1.2.3.
    func isNamed(by file: String) -> Bool {
        guard let version else { return true }
        let named = versions.filter { Self.names(file, $0.description) }
        return named.max { $0.description.utf8.count < $1.description.utf8.count } == version
    }

    private static func names(_ file: String, _ version: String) -> Bool {
        var rest = file.startIndex
        while let occurrence = file.range(of: version, after: rest) {
            let before = file[..<occurrence.lowerBound].last
            let isWhole = !(before.map { $0.isNumber || $0 == "." } ?? false)
            if isWhole, !(file[occurrence.upperBound...].first?.isNumber ?? false) { return true }
            rest = file.index(after: occurrence.lowerBound)
        }
        return false
    }
}

/// The title and text of a release.
struct ReleaseText: Sendable, Equatable {
    /// The maximum number of characters on GitHub.
    static let longestBody = 125_000

    var tag = ""
    var name = ""
    /// The notes in Markdown. Notes that are too long are truncated at the end of a line.
    var notes = ""
    var isPrerelease = false
    /// A Boolean value that indicates whether the release becomes the latest, or `nil` if GitHub decides.
    var isLatest: Bool?

    var body: String {
        let end = "\n\n\(ReleaseNames.mark)\n"
        guard notes.unicodeScalars.count + end.count > Self.longestBody else { return notes + end }
        let notice = "\n\n*Truncated; the changelog contains the full text.*"
        var kept = notes.unicodeScalars.prefix(Self.longestBody - end.count - notice.count)
        if let line = kept.lastIndex(of: "\n") { kept = kept[..<line] }
        return String(String.UnicodeScalarView(kept)) + notice + end
    }

    func json(isDraft: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("tag_name", tag)
            writer.member("name", name)
            writer.member("body", body)
            writer.member("draft", isDraft)
            writer.member("prerelease", isPrerelease)
            // A draft cannot be the latest release.
            if !isDraft { writer.member("make_latest", isLatest.map { $0 ? "true" : "false" } ?? "legacy") }
        }
        return writer.bytes
    }
}
