package import OperatingSystem

/// An update of one source from the locked commit to the commit that currently satisfies the requirement.
package struct SourceUpdate: Sendable {
    /// The change of a file.
    package enum Change: String, Sendable, Equatable {
        case added = "A"
        case changed = "M"
        case deleted = "D"
    }

    /// A changed file below `Lanes`.
    package struct ChangedFile: Sendable {
        package let path: String
        package let change: Change
        /// A Boolean value that indicates whether the file is executable now, or `nil` if that has not changed.
        package var isExecutable: Bool?
    }

    /// The entry of the lock file before the update.
    package let old: LockedSource?
    package let new: LockedSource
    /// The changed files below `Lanes`, or `nil` if the files of the old commit could not be fetched.
    package let files: [ChangedFile]?

    /// A Boolean value that indicates whether the lock file already has the same commit and files.
    package var isUnchanged: Bool { old?.commit == new.commit && old?.sha256 == new.sha256 }

    /// Resolves the requirement of a source and fetches its files.
    ///
    /// - Throws: A `OperationFailure` if the remote repository cannot be reached, has no such commit, or has different files
    ///   for a locked commit.
    package init(of source: LaneSource, from old: LockedSource?, in cache: SourceCache) throws(OperationFailure) {
        let resolution = try cache.repository(source.url).resolve(source.requirement)
        let known = old.flatMap { $0.commit == resolution.commit ? $0 : nil }
        let sha256: String
        if let known, cache.state(of: known) == .valid {
            sha256 = known.sha256
        } else {
            sha256 = try cache.fetch(
                source.name, from: source.url, at: resolution.commit, expecting: known?.sha256)
        }
        new = LockedSource(
            name: source.name, url: source.url, requirement: source.requirement, tag: resolution.tag,
            commit: resolution.commit, sha256: sha256)
        self.old = old
        files = Self.changes(from: old, to: new, in: cache)
    }

    private static func changes(
        from old: LockedSource?, to new: LockedSource, in cache: SourceCache
    ) -> [ChangedFile]? {
        let newDirectory = cache.directory(new.name, at: new.commit)
        let newPaths = SourceTree.paths(below: newDirectory) ?? []
        guard let old else { return newPaths.map { ChangedFile(path: $0, change: .added) } }
        // Commits with the same digest may differ in the modes of files.
        if old.commit == new.commit, old.sha256 == new.sha256 { return [] }
        if cache.state(of: old) != .valid {
            do throws(OperationFailure) { try cache.fetch(old) } catch { return nil }
        }
        let oldDirectory = cache.directory(old.name, at: old.commit)
        let oldPaths = Set(SourceTree.paths(below: oldDirectory) ?? [])
        var changes: [ChangedFile] = []
        for path in newPaths {
            guard oldPaths.contains(path) else {
                changes.append(ChangedFile(path: path, change: .added))
                continue
            }
            let (before, after) = ("\(oldDirectory)/\(path)", "\(newDirectory)/\(path)")
            let runs = isExecutable(after)
            let hasNewMode = runs != isExecutable(before)
            let content = try? readFile(after)
            // A file that cannot be read may have changed.
            if hasNewMode || content == nil || content != (try? readFile(before)) {
                changes.append(ChangedFile(path: path, change: .changed, isExecutable: hasNewMode ? runs : nil))
            }
        }
        return changes
            + oldPaths.subtracting(newPaths).sorted().map { ChangedFile(path: $0, change: .deleted) }
    }
}
