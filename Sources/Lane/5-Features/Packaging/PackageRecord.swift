import Git
import Text

/// The metadata of a package for the documents beside the archive.
struct PackageRecord: Sendable, Equatable {
    /// A dependency that is pinned in `Package.resolved`.
    struct Pin: Sendable, Equatable {
        let identity: String
        let location: String
        let version: String?
        let revision: String?

        /// The published address, or `nil` for a local directory.
        var address: String? { PackageRecord.published(location) }

        /// The address and the revision for bills of materials, or `nil` if one is unknown.
        var source: String? { address.flatMap { address in revision.map { "git+\(address)@\($0)" } } }

        /// The package URL (purl) of type `swift`, such as `pkg:swift/github.com/owner/name@1.0.0`, or `nil` without a
        /// URL or a version.
        var purl: String? {
            guard let version, let address, let scheme = address.range(of: "://") else { return nil }
            let name = String(address[scheme.upperBound...])
            return "pkg:swift/\(name.hasSuffix(".git") ? String(name.dropLast(4)) : name)@\(version)"
        }
    }

    let name: String
    let version: SemanticVersion
    let base: String
    /// The time in seconds since 1970.
    let time: Int64
    let commit: String
    /// The URL of the published repository without credentials, or `nil` if there is none.
    let origin: String?
    /// The SPDX identifier of the license, or `nil` if it is unknown.
    let license: String?
    let compiler: String
    let triple: String
    let products: [String]
    let pins: [Pin]

    /// The address and the commit for bills of materials, or `nil` if the repository is unknown.
    var source: String? { origin.map { "git+\($0)@\(commit)" } }

    /// The web page of the repository, or `nil` if it is unknown.
    var homepage: String? { origin.flatMap(Self.homepage) }

    /// Returns the web page of a published repository.
    static func homepage(of origin: String) -> String? {
        if origin.hasPrefix("https://") || origin.hasPrefix("http://") {
            return origin.hasSuffix(".git") ? String(origin.dropLast(4)) : origin
        }
        return RemoteAddress(origin).map { "https://\($0.host)/\($0.repository)" }
    }

    /// Parses `Package.resolved` of format 1, 2 or 3.
    static func pins(_ resolved: [UInt8]) -> [Pin] {
        guard let node = try? JSONParser.parse(resolved) else { return [] }
        let pins = node["pins"]?.array ?? node["object"]?["pins"]?.array ?? []
        return pins.compactMap { pin in
            guard let identity = pin["identity"]?.string ?? pin["package"]?.string else { return nil }
            return Pin(
                identity: identity, location: pin["location"]?.string ?? pin["repositoryURL"]?.string ?? "",
                version: pin["state"]?["version"]?.string, revision: pin["state"]?["revision"]?.string)
        }.sorted { $0.identity < $1.identity }
    }

    /// Returns the SPDX identifier of a license text, or `nil` for an unknown license.
    static func license(_ text: String) -> String? {
        let known = [
            ("Apache License", "Apache-2.0"), ("MIT License", "MIT"), ("BSD 3-Clause", "BSD-3-Clause"),
            ("BSD 2-Clause", "BSD-2-Clause"), ("Mozilla Public License Version 2.0", "MPL-2.0"), ("ISC License", "ISC"),
        ]
        return known.first { text.prefix(400).contains($0.0) }?.1
    }

    /// Returns the URL of a remote without credentials, or `nil` for a local directory.
    static func published(_ address: String) -> String? {
        guard let scheme = address.range(of: "://") else {
            // Git reads `host:path` as a host and a path unless a slash precedes the colon.
            let host = address.prefix { $0 != ":" }
            return host.endIndex < address.endIndex && !host.contains("/") ? address : nil
        }
        guard address[..<scheme.lowerBound] != "file" else { return nil }
        let rest = address[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return address }
        return String(address[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
