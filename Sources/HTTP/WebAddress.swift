import Text

/// The address of a file or a directory on a web server.
package struct WebAddress: Sendable, Equatable, CustomStringConvertible {
    /// The address without a trailing slash.
    package let text: String

    package var description: String { text }

    /// Returns the address in a text, or `nil` if the text is a path. Throws if it is meant as an address and is not one.
    package static func address(in text: String) throws(WebError) -> WebAddress? {
        guard isAddress(text) else { return nil }
        guard let origin = WebOrigin(text), ["http", "https"].contains(origin.scheme) else {
            throw .notAnAddress(text, reason: "expected a path, or an address such as https://example.com/tests")
        }
        let authority = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        guard !authority.contains("@") else {
            throw .notAnAddress("\(origin.scheme)://…@\(origin.host)", reason: "expected no name and password in it")
        }
        guard !text.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
            throw .notAnAddress(text, reason: "expected no query, fragment or white space in it")
        }
        return WebAddress(text: String(text.reversed().drop { $0 == "/" }.reversed()))
    }

    /// Returns a Boolean value that indicates whether a text is meant as an address.
    package static func isAddress(_ text: String) -> Bool {
        text.contains("://") || text.hasPrefix("http:") || text.hasPrefix("https:")
    }

    /// Returns the address of the directory of a file.
    package func directory() throws(WebError) -> WebAddress {
        guard let slash = text.lastIndex(of: "/"), text[..<slash].contains("://"), !text[..<slash].hasSuffix("/") else {
            throw .notAnAddress(text, reason: "expected the address of a file")
        }
        return WebAddress(text: String(text[..<slash]))
    }
}
