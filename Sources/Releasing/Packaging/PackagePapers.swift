import Archives
import Files
import LaneRun

/// What a package holds beside its products: the sources, and what people look for at the top and among documents.
struct PackagePapers {
    let sources: SourceCopy
    /// Where documents lie: `share/doc/tracer`.
    let folder: String

    func entries() throws(StepFailure) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        for file in sources.exported {
            let entry = try onArchives { () throws(ArchiveError) in
                try ArchiveContents.entry("src/\(file)", from: "\(sources.path)/\(file)")
            }
            entries.append(entry)
            guard let content = try content(of: entry, file) else { continue }
            if isPaper(file) { entries.append(ArchiveEntry(file, content)) }
            for prefix in ["docs/", "doc/", "Documentation/"] where file.hasPrefix(prefix) {
                entries.append(ArchiveEntry("\(folder)/\(file.dropFirst(prefix.count))", content))
            }
        }
        for readme in entries where readme.path.hasPrefix("README") || readme.path.hasPrefix("CHANGELOG") {
            entries.append(ArchiveEntry("\(folder)/\(readme.path)", readme.content))
        }
        return entries
    }

    /// Returns the content for another place of the archive, where a link would lead elsewhere: its file.
    private func content(of entry: ArchiveEntry, _ file: String) throws(StepFailure) -> ArchiveEntry.Content? {
        guard case .link = entry.content else { return entry.content }
        guard let path = resolvedPath("\(sources.path)/\(file)"), fileKind(path) == .file else { return nil }
        return try onArchives { () throws(ArchiveError) in try ArchiveContents.entry(file, from: path) }.content
    }

    /// Whether a file of the package's top folder belongs at the top of the archive, too.
    private func isPaper(_ file: String) -> Bool {
        let marks = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "README", "CHANGELOG"]
        return !file.contains("/") && marks.contains { file.uppercased().hasPrefix($0) }
    }
}
