import LaneModel
import Text

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
