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

    /// The files that it meets, relative to the root, in the order of their bytes. A literal path is given whether it is
    /// there or not.
    package func files(below root: String) -> [String] {
        if let literal {
            return isDirectory(path(literal, below: root)) ? Self.everything(in: literal, root) : [literal]
        }
        var found: [String] = []
        var open: [(folder: String, part: Int)] = [(text.isAbsolutePath ? "/" : "", 0)]
        var visited: Set<[UInt8]> = []
        while let (folder, part) = open.popLast() {
            guard visited.insert(Array("\(part):\(folder)".utf8)).inserted else { continue }
            match(folder, part, root) { name, next in
                let file = Self.child(name, of: folder)
                if next < parts.count {
                    open.append((file, next))
                } else if parts.last != Self.anyFolders, isDirectory(path(file, below: root)) {
                    found += Self.everything(in: file, root)
                } else {
                    found.append(file)
                }
            } stay: {
                open.append((folder, part + 1))
            }
        }
        return distinctPaths(found)
    }

    /// Calls `take` for each name in a folder that fits a part, with the part that comes next for it.
    private func match(
        _ folder: String, _ part: Int, _ root: String, take: (String, Int) -> Void, stay: () -> Void
    ) {
        let pattern = parts[part]
        guard Self.hasWildcards(pattern) else {
            let name = String(decoding: pattern, as: UTF8.self)
            if fileKind(path(Self.child(name, of: folder), below: root)) != nil { take(name, part + 1) }
            return
        }
        let names = Self.names(in: folder, root)
        guard pattern == Self.anyFolders else {
            for name in names where Self.fits(Array(name.utf8), pattern) { take(name, part + 1) }
            return
        }
        let isLast = part + 1 == parts.count
        if !isLast { stay() }
        for name in names where !name.hasPrefix(".") {
            let kind = fileKind(path(Self.child(name, of: folder), below: root))
            if kind == .directory { take(name, part) } else if isLast { take(name, parts.count) }
        }
    }

    /// Files in a folder and below it; links are not followed, as they may lead in circles.
    private static func everything(in folder: String, _ root: String) -> [String] {
        var files: [String] = []
        var open = [folder]
        while let folder = open.popLast() {
            for name in names(in: folder, root) where !name.hasPrefix(".") {
                let file = child(name, of: folder)
                if fileKind(path(file, below: root)) == .directory { open.append(file) } else { files.append(file) }
            }
        }
        return distinctPaths(files)
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
