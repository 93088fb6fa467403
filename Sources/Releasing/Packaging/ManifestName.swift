import Text

/// The name of a package in its manifest.
enum ManifestName {
    /// Returns the name in `Package(name: "…"`, or `nil` if it is computed.
    static func find(in manifest: String) -> String? {
        guard let mark = manifest.range(of: "Package("),
            let name = manifest.range(of: "name: \"", after: mark.upperBound)
        else { return nil }
        let text = String(manifest[name.upperBound...].prefix { $0 != "\"" })
        return text.isEmpty || text.contains("/") || text.contains("\\") || text.hasPrefix(".") ? nil : text
    }
}
