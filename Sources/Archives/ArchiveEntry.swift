import Files

/// One thing to put into an archive. Owner, group and times are not part of it: an archive has one time, and no owner.
package struct ArchiveEntry: Sendable, Equatable {
    /// What stands at the entry's path.
    package enum Content: Sendable, Equatable {
        case directory
        /// A regular file with these bytes.
        case bytes([UInt8], isExecutable: Bool)
        /// A regular file copied from this path.
        case file(String, isExecutable: Bool)
        /// A symbolic link; the target is relative to the folder that holds it.
        case link(String)
    }

    /// Relative, parts separated by `/`, without a slash at either end.
    package let path: String
    /// What stands there, or where it is copied from.
    package let content: Content

    package init(_ path: String, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// Permission bits, from nothing but the kind and whether it can be executed.
    var mode: UInt32 {
        switch content {
        case .directory: 0o755
        case .bytes(_, let isExecutable), .file(_, let isExecutable): isExecutable ? 0o755 : 0o644
        case .link: 0o777
        }
    }
}

/// The entries of one archive in the order in which they are written: by path, bytewise, folders before what is in them.
package struct ArchiveContents: Sendable, Equatable {
    /// Never two of the same path; every folder on the way to an entry is one, too.
    package let entries: [ArchiveEntry]

    /// Adds the folders on the way to every entry. Refuses unsafe paths, links that lead out, and paths given twice.
    package init(_ given: [ArchiveEntry]) throws(ArchiveError) {
        // Two spellings of one letter are one text to `String`, but two names to the system.
        var byPath: [[UInt8]: ArchiveEntry] = [:]
        for entry in given {
            guard ArchivePath.isSafe(entry.path) else { throw .unsafePath(entry.path) }
            if case .link(let target) = entry.content, !ArchivePath.staysInside(entry.path, target: target) {
                throw .unsafeLink(entry.path, target: target)
            }
            let path = Array(entry.path.utf8)
            if let earlier = byPath[path], earlier.content != .directory || entry.content != .directory {
                throw .duplicate(entry.path)
            }
            byPath[path] = entry
        }
        for entry in given {
            for parent in ArchivePath.parents(of: entry.path) {
                let path = Array(parent.utf8)
                guard let above = byPath[path] else {
                    byPath[path] = ArchiveEntry(parent, .directory)
                    continue
                }
                guard above.content == .directory else { throw .duplicate(parent) }
            }
        }
        entries = byPath.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// The same contents below a folder.
    package func below(_ folder: String) throws(ArchiveError) -> ArchiveContents {
        try ArchiveContents(entries.map { ArchiveEntry("\(folder)/\($0.path)", $0.content) })
    }
}

/// What a path inside an archive may be.
enum ArchivePath {
    static func isSafe(_ path: String) -> Bool {
        !path.isEmpty && !path.utf8.contains(0)
            && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
            }
    }

    /// Whether a link at `path` points to a place inside the archive, read without looking at other links.
    static func staysInside(_ path: String, target: String) -> Bool {
        guard !target.isEmpty, !target.isAbsolutePath, !target.utf8.contains(0) else { return false }
        var depth = path.pathComponents.count - 1
        for part in target.pathComponents {
            switch part {
            case ".": continue
            case "..": depth -= 1
            default: depth += 1
            }
            if depth < 0 { return false }
        }
        return true
    }

    /// As many links one after the other as the system follows.
    private static let mostLinks = 40

    /// Whether it does when the archive's other links, relative ones by their paths, are followed on the way. Links that
    /// lead to each other lead nowhere.
    static func staysInside(_ path: String, target: String, through links: [[UInt8]: String]) -> Bool {
        var place = Array(path.pathComponents.dropLast())
        var rest = Array(target.pathComponents.reversed())
        var followed = 0
        while let part = rest.popLast() {
            switch part {
            case ".": continue
            case "..": if place.popLast() == nil { return false }
            default:
                place.append(part)
                guard let next = links[Array(place.joined(separator: "/").utf8)] else { continue }
                followed += 1
                if followed > mostLinks { return true }
                place.removeLast()
                rest += next.pathComponents.reversed()
            }
        }
        return true
    }

    /// `a` and `a/b` for `a/b/c`.
    static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var parent = ""
        for part in path.pathComponents.dropLast() {
            parent += parent.isEmpty ? String(part) : "/\(part)"
            parents.append(parent)
        }
        return parents
    }
}
