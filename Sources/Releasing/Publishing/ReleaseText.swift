import JSON

/// What people read of a release.
struct ReleaseText: Sendable, Equatable {
    /// What GitHub takes, in characters.
    static let longestBody = 125_000

    var tag = ""
    var name = ""
    /// Markdown, cut at a line where it is too long.
    var notes = ""
    var isPrerelease = false
    /// Whether it is to be the one that people are shown first; `nil` lets GitHub decide.
    var isLatest: Bool?

    var body: String {
        let end = "\n\n\(GitHubRelease.mark)\n"
        guard notes.unicodeScalars.count + end.count > Self.longestBody else { return notes + end }
        let notice = "\n\n*Cut here; the changelog has it all.*"
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
            // A draft is never the latest.
            if !isDraft { writer.member("make_latest", isLatest.map { $0 ? "true" : "false" } ?? "legacy") }
        }
        return writer.bytes
    }
}
