package import OperatingSystem

/// An update of one source from the locked commit to the commit that currently satisfies the requirement.
package struct SourceUpdate: Sendable {
    /// The change of a file.
    package enum Change: String, Sendable, Equatable {
        case added = "A"
        case changed = "M"
        case deleted = "D"
    }

    /// The entry of the lock file before the update.
    package let old: LockedSource?
    package let new: LockedSource
    /// The changed files below `Lanes`, or `nil` if the files of the old commit could not be fetched.
    package let files: [(path: String, change: Change)]?

    /// A Boolean value that indicates whether the lock file already has the same commit and files.
    package var isUnchanged: Bool { old?.commit == new.commit && old?.sha256 == new.sha256 }

    /// Resolves the requirement of a source and fetches its files.
    ///
    /// - Throws: A `OperationFailure` if the remote repository cannot be reached, has no such commit, or has different files
    ///   for a locked commit.
    package init(of source: LaneSource, from old: LockedSource?, in cache: SourceCache) throws(OperationFailure) {
        let resolution = try cache.resolve(source)
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
    ) -> [(path: String, change: Change)]? {
        let newDirectory = cache.directory(new.name, at: new.commit)
        let newPaths = SourceTree.paths(below: newDirectory) ?? []
        guard let old else { return newPaths.map { ($0, .added) } }
        if old.sha256 == new.sha256 { return [] }
        if cache.state(of: old) != .valid {
            do throws(OperationFailure) { try cache.fetch(old) } catch { return nil }
        }
        let oldDirectory = cache.directory(old.name, at: old.commit)
        let oldPaths = Set(SourceTree.paths(below: oldDirectory) ?? [])
        var changes: [(path: String, change: Change)] = []
        for path in newPaths {
            if !oldPaths.contains(path) {
                changes.append((path, .added))
            } else if !SourceTree.haveSameContent("\(oldDirectory)/\(path)", "\(newDirectory)/\(path)") {
                changes.append((path, .changed))
            }
        }
        return changes + oldPaths.subtracting(newPaths).sorted().map { ($0, .deleted) }
    }
}
