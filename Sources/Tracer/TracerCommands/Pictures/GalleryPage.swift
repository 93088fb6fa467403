import Text
import Tracer

/// A self-contained HTML page of pictures. The page is its own cache: each figure has a key that is derived from its
/// contents.
struct GalleryPage {
    /// A figure, which is drawn only if the previous page doesn't contain it.
    struct Entry {
        let key: String
        let draw: () throws -> String
    }

    struct Section {
        let title: String
        let entries: [Entry]
    }

    /// The text that identifies a page of this command. It is followed by a hash of the rest of the page, which detects
    /// edited pages.
    private static let mark = "<meta name=\"generator\" content=\"tracer-demo gallery "

    /// Returns a Boolean value that indicates whether this command created the page and the page was not edited.
    static func isOurs(_ page: String) -> Bool {
        guard let mark = page.firstRange(of: mark), let end = page[mark.upperBound...].firstIndex(of: "\"") else {
            return false
        }
        return page[mark.upperBound..<end] == contentKey((page[..<mark.upperBound] + page[end...]).utf8)
    }

    /// Returns the page with the hash after its mark.
    private static func signed(_ page: String) -> String {
        guard let mark = page.firstRange(of: mark) else { return page }
        return page[..<mark.upperBound] + contentKey(page.utf8) + page[mark.upperBound...]
    }

    private(set) var drawn = 0
    private(set) var kept = 0
    private var old: [Substring: Substring] = [:]

    /// - Parameter previous: The contents of the existing page, if there is one.
    init(previous: String?) {
        guard let previous else { return }
        for figure in previous.split(separator: "<figure data-key=\"").dropFirst() {
            guard let quote = figure.firstIndex(of: "\""), let end = figure.firstRange(of: "</figure>") else {
                continue
            }
            old[figure[..<quote]] = figure[..<end.lowerBound]
        }
    }

    mutating func html(_ sections: [Section]) throws -> String {
        var text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(Self.mark)">
            <title>Letters and traces</title>
            <style>
            body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #212529; background: #f8f9fa }
            section { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: .75rem }
            figure { margin: 0; padding: .5rem; background: #fff; border-radius: .5rem; box-shadow: 0 1px 3px #0003 }
            figure svg { width: 100%; height: auto; display: block }
            figcaption { text-align: center; font-size: .875rem; overflow-wrap: anywhere }
            @media (prefers-color-scheme: dark) { body { color: #e9ecef; background: #212529 } figcaption { color: #212529 } }
            </style>
            </head>
            <body>
            <h1>Letters and traces</h1>

            """
        for section in sections where !section.entries.isEmpty {
            text += "<h2>\(section.title.escaped)</h2>\n<section>\n"
            for entry in section.entries { text += try figure(entry) }
            text += "</section>\n"
        }
        return Self.signed(text + "</body>\n</html>\n")
    }

    private mutating func figure(_ entry: Entry) throws -> String {
        if let same = old[entry.key[...]] {
            kept += 1
            return "<figure data-key=\"\(same)</figure>\n"
        }
        drawn += 1
        return "<figure data-key=\"\(entry.key)\">\n\(try entry.draw())</figure>\n"
    }
}

extension String {
    /// The string with characters escaped for HTML text and attribute values.
    var escaped: String { escapedForXML(self, isAttribute: true, keepsLines: true) }
}

/// Returns a stable hash of some bytes as 16 hexadecimal digits, as a cache key.
func contentKey(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(into: StableHash()) { $0.add(UInt64($1)) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
