import Diagnostics
import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A pattern for files below a root: `*`, `?` and `[a-z]` within a name, `**` for any number of folders. A folder stands
/// for all files in it. Names that begin with a dot are met only by a pattern that writes the dot. One that is absolute or
/// begins with `..` leads away from the root.
package struct FilePattern {
    private static let star = UInt8(ascii: "*")
    private static let anyFolders = Array("**".utf8)

    let text: String
    /// The path of a pattern that has no wildcards.
    let literal: String?
    private let parts: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        guard text.withBytes(Self.hasWildcards) else {
            literal = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
            parts = []
            return
        }
        literal = nil
        parts = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
    }

    private static func hasWildcards(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { $0 == star || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// Whether it names one file or folder, which then may be missing, rather than any number of files.
    package var isLiteral: Bool { literal != nil }

    /// Returns the files that match, relative to the root, in the order of their bytes. A literal path is given whether it
    /// is there or not.
    ///
    /// - Parameter followsLinks: Below a folder, links to folders are files of the list, and what lies behind them is part
    ///   of it. A folder that several links lead to, or that contains the root, is listed once, however links are nested.
    package func files(below root: String, followsLinks: Bool = false) -> [String] {
        if let literal, !isDirectory(path(literal, below: root)) { return [literal] }
        var walk = Walk(root, followsLinks: followsLinks)
        if let literal { walk.enter(literal, parts.count) } else { walk.enter(text.isAbsolutePath ? "/" : "", 0) }
        while let (folder, part) = walk.next(where: { isAnyFolders($0) }) {
            if isAnyFolders(part) {
                matchAnyFolders(folder, part, &walk)
            } else {
                match(folder, part, &walk)
            }
        }
        return distinctPaths(walk.found)
    }

    /// Behind the last part, everything in a folder matches.
    private func isAnyFolders(_ part: Int) -> Bool { part == parts.count || parts[part] == Self.anyFolders }

    /// Folders that are still to be looked at, and what was found.
    private struct Walk {
        private struct Visit: Hashable {
            let folder: DirectoryIdentity
            let part: Int
        }

        let root: String
        let followsLinks: Bool
        var found: [String] = []
        private var open: [(folder: String, part: Int)] = []
        /// Looked at last, so that a folder is listed by its own path where it has one.
        private var linked: [(folder: String, part: Int)] = []
        private var paths: Set<[UInt8]> = []
        private var visited: Set<Visit> = []
        private let ancestors: Set<DirectoryIdentity>

        init(_ root: String, followsLinks: Bool) {
            self.root = root
            self.followsLinks = followsLinks
            ancestors = followsLinks ? DirectoryIdentity.ancestors(of: root) : []
        }

        mutating func enter(_ folder: String, _ part: Int) { open.append((folder, part)) }

        /// A link in the place of any folders.
        mutating func enterLink(_ folder: String, _ part: Int) {
            guard followsLinks, let identity = DirectoryIdentity(path(folder, below: root)),
                !ancestors.contains(identity)
            else { return }
            linked.append((folder, part))
        }

        /// The next folder, with the part that names in it have to match.
        mutating func next(where isAnyFolders: (Int) -> Bool) -> (folder: String, part: Int)? {
            while let next = open.popLast() ?? linked.popLast() {
                guard paths.insert(Array("\(next.part):\(next.folder)".utf8)).inserted else { continue }
                guard followsLinks, isAnyFolders(next.part) else { return next }
                let place = next.folder.isEmpty ? root : path(next.folder, below: root)
                guard let identity = DirectoryIdentity(place) else { continue }
                if visited.insert(Visit(folder: identity, part: next.part)).inserted { return next }
            }
            return nil
        }
    }

    /// A `**`, or everything in a folder.
    private func matchAnyFolders(_ folder: String, _ part: Int, _ walk: inout Walk) {
        let isLast = part + 1 >= parts.count
        if !isLast { walk.enter(folder, part + 1) }
        for name in Self.names(in: folder, walk.root) where !name.hasPrefix(".") {
            let file = Self.child(name, of: folder)
            let kind = fileKind(path(file, below: walk.root))
            if kind == .directory {
                walk.enter(file, part)
                continue
            }
            let isLinkToFolder = kind == .link && walk.followsLinks && isDirectory(path(file, below: walk.root))
            if isLast || isLinkToFolder { walk.found.append(file) }
            if isLinkToFolder { walk.enterLink(file, part) }
        }
    }

    private func match(_ folder: String, _ part: Int, _ walk: inout Walk) {
        for name in matchingNames(parts[part], in: folder, walk.root) {
            let file = Self.child(name, of: folder)
            if part + 1 < parts.count {
                walk.enter(file, part + 1)
                continue
            }
            let place = path(file, below: walk.root)
            let isFolder = isDirectory(place)
            let isFollowedLink = isFolder && walk.followsLinks && fileKind(place) == .link
            if isFollowedLink {
                walk.enterLink(file, parts.count)
            } else if isFolder {
                walk.enter(file, parts.count)
            }
            if !isFolder || isFollowedLink { walk.found.append(file) }
        }
    }

    private func matchingNames(_ pattern: [UInt8], in folder: String, _ root: String) -> [String] {
        guard Self.hasWildcards(pattern) else {
            let name = String(pathBytes: pattern)
            return fileKind(path(Self.child(name, of: folder), below: root)) == nil ? [] : [name]
        }
        return Self.names(in: folder, root).filter { Self.fits($0.pathBytes, pattern) }
    }

    private static func names(in folder: String, _ root: String) -> [String] {
        (try? listDirectory(folder.isEmpty ? root : path(folder, below: root))) ?? []
    }

    private static func child(_ name: String, of folder: String) -> String {
        folder.isEmpty || folder == "/" ? folder + name : "\(folder)/\(name)"
    }

    /// Whether a name fits a pattern without `**`. Goes back only to the last star, so it takes no more than
    /// name × pattern steps.
    static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        if name.first == UInt8(ascii: "."), pattern.first != UInt8(ascii: ".") { return false }
        var (place, at) = (0, 0)
        var star: (pattern: Int, name: Int)?
        while place < name.count {
            if at < pattern.count, pattern[at] == Self.star {
                star = (at, place)
                at += 1
            } else if at < pattern.count, let next = afterMatching(name[place], pattern, at) {
                place += 1
                at = next
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (at, place) = (last.pattern + 1, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == Self.star }
    }

    /// The place behind the one pattern element at `at` when it takes this byte.
    private static func afterMatching(_ byte: UInt8, _ pattern: [UInt8], _ at: Int) -> Int? {
        switch pattern[at] {
        case UInt8(ascii: "?"): return at + 1
        case UInt8(ascii: "["):
            guard let end = pattern[(at + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
                return byte == pattern[at] ? at + 1 : nil
            }
            return isListed(byte, pattern[(at + 1)..<end]) ? end + 1 : nil
        default: return byte == pattern[at] ? at + 1 : nil
        }
    }

    private static func isListed(_ byte: UInt8, _ list: ArraySlice<UInt8>) -> Bool {
        let isNegated = list.first == UInt8(ascii: "!") || list.first == UInt8(ascii: "^")
        var rest = isNegated ? list.dropFirst() : list
        var isFound = false
        while let low = rest.popFirst() {
            if rest.count >= 2, rest.first == UInt8(ascii: "-") {
                let high = rest[rest.startIndex + 1]
                isFound = isFound || (low...max(low, high)).contains(byte)
                rest = rest.dropFirst(2)
            } else {
                isFound = isFound || byte == low
            }
        }
        return isFound != isNegated
    }
}
