/// The package's name as its manifest has it.
enum ManifestName {
    /// Reads `Package(name: "…"`, as every manifest begins; `nil` for one that works its name out.
    static func find(in manifest: String) -> String? {
        guard let mark = manifest.range(of: "Package("),
            let name = manifest.range(of: "name: \"", after: mark.upperBound)
        else { return nil }
        let text = String(manifest[name.upperBound...].prefix { $0 != "\"" })
        return text.isEmpty || text.contains("/") || text.contains("\\") || text.hasPrefix(".") ? nil : text
    }
}
