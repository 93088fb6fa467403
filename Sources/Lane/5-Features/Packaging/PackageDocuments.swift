import Archives
import OperatingSystem
import Text

/// The documentation in an archive, and the sources.
struct PackageDocuments {
    let sources: SourceCopy
    /// The directory of documents: `share/doc/tracer`.
    let directory: String
    /// A Boolean value that indicates whether the archive contains the sources.
    let hasSources: Bool

    func entries() throws(OperationFailure) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        for file in sources.exported {
            let entry = try convertingArchiveErrors { () throws(ArchiveError) in
                try ArchiveContents.entry("src/\(file)", from: "\(sources.path)/\(file)")
            }
            if hasSources { entries.append(entry) }
            guard let content = try content(of: entry, file) else { continue }
            if isDocument(file) { entries.append(ArchiveEntry(file, content)) }
            for prefix in ["docs/", "doc/", "Documentation/"] where file.hasPrefix(prefix) {
                entries.append(ArchiveEntry("\(directory)/\(file.dropFirst(prefix.count))", content))
            }
        }
        for document in entries where document.path.hasPrefix("README") || document.path.hasPrefix("CHANGELOG") {
            entries.append(ArchiveEntry("\(directory)/\(document.path)", document.content))
        }
        return entries
    }

    /// Returns the content of an entry for another path in the archive. Replaces a link by its file if the link would
    /// be broken.
    ///
    /// - Parameter file: The path of the entry in the package.
    private func content(of entry: ArchiveEntry, _ file: String) throws(OperationFailure) -> ArchiveEntry.Content? {
        guard case .link = entry.content else { return entry.content }
        guard let path = resolvedPath("\(sources.path)/\(file)"), fileKind(path) == .file else { return nil }
        return try convertingArchiveErrors { () throws(ArchiveError) in try ArchiveContents.entry(file, from: path) }
            .content
    }

    /// Returns a Boolean value that indicates whether a file is also copied to the root of the archive.
    private func isDocument(_ file: String) -> Bool {
        // `LICEN` also matches the British spelling of a license.
        let prefixes = ["LICEN", "COPYING", "NOTICE", "README", "CHANGELOG"]
        return !file.contains("/") && prefixes.contains { file.uppercased().hasPrefix($0) }
    }
}
