import Text

/// The origin of a URL: scheme, host and port.
package struct WebOrigin: Equatable {
    package let scheme: String
    /// The host in lowercase, without the port.
    package let host: String
    package let port: String

    package init?(_ url: String) {
        guard let mark = url.range(of: "://") else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        host = authority[..<(colon ?? authority.endIndex)].lowercased()
        port = colon.map { String(authority[authority.index(after: $0)...]) } ?? (scheme == "https" ? "443" : "80")
        guard !host.isEmpty else { return nil }
    }

    /// The URL of the origin, without a port that is the default.
    var address: String {
        "\(scheme)://\(host)" + (port == (scheme == "https" ? "443" : "80") ? "" : ":\(port)")
    }

    /// A Boolean value that indicates whether secrets can be sent to the origin: it is encrypted or on this machine.
    package var isSecure: Bool {
        scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}
