import OperatingSystem
package import Text

/// The sources of a package and their lock file.
package struct PackageSources: Sendable {
    package let sources: [LaneSource]
    package let lock: SourcesLock
    /// The file of sources.
    private let file: SourceFile

    package init(_ sources: [LaneSource], lock: SourcesLock, file: SourceFile) {
        self.sources = sources
        self.lock = lock
        self.file = file
    }

    /// Reads the sources file and the lock file. Returns `nil` if the package has no sources.
    ///
    /// - Parameter directory: The directory that paths in messages are relative to.
    package static func read(root: String, seenFrom directory: String) throws(Diagnostics) -> PackageSources? {
        let path = "\(root)/\(SourcesFile.path)"
        guard fileExists(path) else { return nil }
        let file = try read(path, seenFrom: directory)
        let (sources, diagnostics) = SourcesFile.read(file)
        try diagnostics.throwIfErrors()
        let lockPath = "\(root)/\(SourcesLock.path)"
        guard fileExists(lockPath) else { return PackageSources(sources, lock: SourcesLock([]), file: file) }
        let lockFile = try read(lockPath, seenFrom: directory)
        do throws(Diagnostic) {
            return PackageSources(sources, lock: try SourcesLock.read(lockFile), file: file)
        } catch {
            throw Diagnostics([error])
        }
    }

    private static func read(_ path: String, seenFrom directory: String) throws(Diagnostics) -> SourceFile {
        let shown = relativePath(path, to: directory)
        do throws(FileError) {
            return SourceFile(path: shown, bytes: try readRegularFile(path))
        } catch {
            let span = Span(file: SourceFile(path: shown, bytes: []), range: 0..<0)
            throw Diagnostics([Diagnostic(.error, error.description, at: span)])
        }
    }

    /// Returns the entry of a source in the lock file. Throws if there is none, or if the address or the requirement
    /// has changed since.
    package func locked(_ source: LaneSource) throws(Diagnostic) -> LockedSource {
        guard let entry = lock[source.name] else {
            throw Diagnostic(
                .error, "source '\(source.name)' is not in the lock file", at: source.span,
                hint: "use 'lane update \(source.name)'")
        }
        guard entry.isFor(source) else {
            let found = entry.url == source.url ? "for \(entry.requirement)" : "from '\(entry.url)'"
            throw Diagnostic(
                .error, "source '\(source.name)' was changed; it is locked \(found)", at: source.span,
                hint: "use 'lane update \(source.name)'")
        }
        return entry
    }

    /// The errors for entries of the lock file without a source.
    package var unusedEntries: Diagnostics {
        var diagnostics = Diagnostics()
        for entry in lock.sources where !sources.contains(where: { $0.name == entry.name }) {
            diagnostics.error(
                "the lock file has the source '\(entry.name)', which is not in this file",
                at: Span(file: file, range: 0..<0), hint: "use 'lane update'")
        }
        return diagnostics
    }
}
