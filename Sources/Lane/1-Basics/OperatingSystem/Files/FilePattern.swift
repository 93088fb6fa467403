import CLibrary
import Text

/// A glob pattern for files below a root: `*`, `?` and `[a-z]` within a name, `**` for any number of directories.
///
/// A pattern that matches a directory matches all files in it. A name that starts with a dot matches only a pattern
/// that starts with a dot. `{a,b}` stands for `a` or `b`; with more than a thousand combinations, braces are part of the
/// name. A file whose name is the pattern, such as `[id].txt`, is the only match. An absolute pattern, or one that starts
/// with `..`, matches files outside the root.
package struct FilePattern {
    private static let star = UInt8(ascii: "*")
    private static let anyDirectories = Array("**".utf8)

    package let text: String
    /// The path if the pattern has no wildcards; `nil` otherwise.
    package let literal: String?
    private let parts: [[UInt8]]
    /// The patterns for the alternatives in braces; empty without braces.
    private let alternatives: [FilePattern]

    package init(_ text: String) {
        self.text = text
        let isExpanded =
            text.utf8.contains(UInt8(ascii: "{")) && Self.countCombinations(in: text) <= Self.maximumCombinations
        let texts = isExpanded ? Self.expanded(Array(text.utf8)) : []
        alternatives = texts.count > 1 ? texts.map { FilePattern(String(decoding: $0, as: UTF8.self)) } : []
        guard alternatives.isEmpty else {
            literal = nil
            parts = []
            return
        }
        guard text.withBytes(Self.hasWildcards) else {
            literal = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
            parts = []
            return
        }
        literal = nil
        parts = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
    }

    private static let maximumCombinations = 1000

    /// Returns the number of combinations of the alternatives in braces, or any number above the maximum.
    private static func countCombinations(in text: String) -> Int {
        // The combinations of the current alternative, and outside of each open brace, those before it.
        var (product, sum) = (1, 0)
        var outer: [(product: Int, sum: Int)] = []
        for byte in text.utf8 where product <= maximumCombinations {
            switch byte {
            case UInt8(ascii: "{"):
                outer.append((product, sum))
                (product, sum) = (1, 0)
            case UInt8(ascii: ",") where !outer.isEmpty: (product, sum) = (1, sum + product)
            case UInt8(ascii: "}"):
                guard let before = outer.popLast() else { continue }
                (product, sum) = (before.product * (sum + product), before.sum)
            default: break
            }
        }
        return product
    }

    /// Returns the texts with each alternative of the first braces with a comma, and of those after and inside them.
    /// Braces without a comma are part of a name.
    private static func expanded(_ text: [UInt8]) -> [[UInt8]] {
        var depth = 0
        // The offsets of the opening brace and the commas.
        var bounds: [Int] = []
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "{"):
                if depth == 0 { bounds = [index] }
                depth += 1
            case UInt8(ascii: ",") where depth == 1: bounds.append(index)
            case UInt8(ascii: "}") where depth > 0:
                depth -= 1
                guard depth == 0, bounds.count > 1 else { continue }
                let tails = expanded(Array(text[(index + 1)...]))
                return zip(bounds, bounds.dropFirst() + [index]).flatMap { first, last -> [[UInt8]] in
                    let heads = expanded(text[..<bounds[0]] + Array(text[(first + 1)..<last]))
                    return heads.flatMap { head in tails.map { head + $0 } }
                }
            default: break
            }
        }
        return [text]
    }

    private static func hasWildcards(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { $0 == star || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// A Boolean value that indicates whether the pattern has no wildcards. The file or directory may be missing.
    package var isLiteral: Bool { literal != nil }

    /// Returns the matching files that exist. Neither directories nor links to directories are files.
    package func existingFiles(below root: String) -> [String] {
        files(below: root).filter { file in
            let place = path(file, relativeTo: root)
            return fileExists(place) && !isDirectory(place)
        }
    }

    /// Returns the matching files, relative to the root and sorted by their bytes. Returns a literal path even if it
    /// does not exist.
    ///
    /// - Parameter followsLinks: A Boolean value that indicates whether symbolic links to directories are followed.
    ///   Each directory is listed once.
    package func files(below root: String, followsLinks: Bool = false) -> [String] {
        if let literal, !isDirectory(path(literal, relativeTo: root)) { return [literal] }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }),
            fileKind(path(text, relativeTo: root)) == .file
        {
            return [text]
        }
        guard alternatives.isEmpty else {
            return distinctPaths(
                alternatives.flatMap { alternative in
                    // A literal path is returned even if it does not exist.
                    alternative.files(below: root, followsLinks: followsLinks).filter {
                        alternative.literal == nil || fileKind(path($0, relativeTo: root)) != nil
                    }
                })
        }
        return distinctPaths(walk(root, followsLinks: followsLinks).found)
    }

    /// Returns the directories in which a file could appear that matches, relative to the root.
    package func directories(below root: String) -> [String] {
        guard alternatives.isEmpty else { return alternatives.flatMap { $0.directories(below: root) } }
        var found = walk(root, followsLinks: true).listed
        if let literal {
            var parent = path(literal, relativeTo: root)
            repeat { parent = parentDirectory(parent) } while !isDirectory(parent)
            found.append(parent)
        }
        return found
    }

    private func walk(_ root: String, followsLinks: Bool) -> Walk {
        var walk = Walk(root, followsLinks: followsLinks)
        if let literal { walk.enter(literal, parts.count) } else { walk.enter(text.isAbsolutePath ? "/" : "", 0) }
        while let (directory, part) = walk.next(where: { isAnyDirectories($0) }) {
            if isAnyDirectories(part) {
                matchAnyDirectories(directory, part, &walk)
            } else {
                match(directory, part, &walk)
            }
        }
        return walk
    }

    /// Returns a Boolean value that indicates whether a part matches any directories: `**`, or the end of the pattern.
    private func isAnyDirectories(_ part: Int) -> Bool { part == parts.count || parts[part] == Self.anyDirectories }

    /// The directories to list and the files found so far.
    private struct Walk {
        private struct Visit: Hashable {
            let directory: FileIdentity
            let part: Int
        }

        let root: String
        let followsLinks: Bool
        var found: [String] = []
        private(set) var listed: [String] = []
        private var open: [(directory: String, part: Int)] = []
        /// Links are followed last, so a directory is listed by its own path if it has one.
        private var linked: [(directory: String, part: Int)] = []
        private var paths: Set<[UInt8]> = []
        private var visited: Set<Visit> = []
        private let ancestors: Set<FileIdentity>

        init(_ root: String, followsLinks: Bool) {
            self.root = root
            self.followsLinks = followsLinks
            ancestors = followsLinks ? FileIdentity.ancestors(of: root) : []
        }

        mutating func enter(_ directory: String, _ part: Int) { open.append((directory, part)) }

        /// Adds a link to a directory.
        mutating func enterLink(_ directory: String, _ part: Int) {
            guard followsLinks, let identity = FileIdentity(directory: path(directory, relativeTo: root)),
                !ancestors.contains(identity)
            else { return }
            linked.append((directory, part))
        }

        /// Returns the next directory, with the part that names in it have to match.
        mutating func next(where isAnyDirectories: (Int) -> Bool) -> (directory: String, part: Int)? {
            while let next = open.popLast() ?? linked.popLast() {
                guard paths.insert(Array("\(next.part):\(next.directory)".utf8)).inserted else { continue }
                if followsLinks, isAnyDirectories(next.part) {
                    let place = next.directory.isEmpty ? root : path(next.directory, relativeTo: root)
                    guard let identity = FileIdentity(directory: place),
                        visited.insert(Visit(directory: identity, part: next.part)).inserted
                    else { continue }
                }
                listed.append(next.directory)
                return next
            }
            return nil
        }
    }

    /// Lists a directory for `**` or for the end of the pattern.
    private func matchAnyDirectories(_ directory: String, _ part: Int, _ walk: inout Walk) {
        let isLast = part + 1 >= parts.count
        if !isLast { walk.enter(directory, part + 1) }
        for name in Self.names(in: directory, walk.root) where !name.hasPrefix(".") {
            let file = Self.child(name, of: directory)
            let place = path(file, relativeTo: walk.root)
            let kind = fileKind(place)
            if kind == .directory {
                walk.enter(file, part)
                continue
            }
            let isLinkToDirectory = kind == .link && walk.followsLinks && isDirectory(place)
            if isLast || isLinkToDirectory { walk.found.append(file) }
            if isLinkToDirectory { walk.enterLink(file, part) }
        }
    }

    private func match(_ directory: String, _ part: Int, _ walk: inout Walk) {
        for name in matchingNames(parts[part], in: directory, walk.root) {
            let file = Self.child(name, of: directory)
            let place = path(file, relativeTo: walk.root)
            // A wildcard does not lead through a link back to a directory that contains the link.
            if !walk.followsLinks, Self.hasWildcards(parts[part]), Self.isLinkToParent(place) { continue }
            if part + 1 < parts.count {
                walk.enter(file, part + 1)
                continue
            }
            let isDirectory = isDirectory(place)
            let isFollowedLink = isDirectory && walk.followsLinks && fileKind(place) == .link
            if isFollowedLink {
                walk.enterLink(file, parts.count)
            } else if isDirectory {
                walk.enter(file, parts.count)
            }
            if !isDirectory || isFollowedLink { walk.found.append(file) }
        }
    }

    private static func isLinkToParent(_ place: String) -> Bool {
        guard fileKind(place) == .link, let target = FileIdentity(directory: place) else { return false }
        return FileIdentity.ancestors(of: parentDirectory(place)).contains(target)
    }

    private func matchingNames(_ pattern: [UInt8], in directory: String, _ root: String) -> [String] {
        guard Self.hasWildcards(pattern) else {
            let name = String(pathBytes: pattern)
            return fileKind(path(Self.child(name, of: directory), relativeTo: root)) == nil ? [] : [name]
        }
        let glob = Glob(pattern, hasClasses: true)
        return Self.names(in: directory, root).filter { name in
            let isHidden = name.hasPrefix(".") && pattern.first != UInt8(ascii: ".")
            return !isHidden && glob.matches(name.pathBytes)
        }
    }

    private static func names(in directory: String, _ root: String) -> [String] {
        (try? listDirectory(directory.isEmpty ? root : path(directory, relativeTo: root))) ?? []
    }

    private static func child(_ name: String, of directory: String) -> String {
        directory.isEmpty || directory == "/" ? directory + name : "\(directory)/\(name)"
    }
}
