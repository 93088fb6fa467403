import Events

/// An index of the package's files by their last path components, such as `STTests.swift` or `XCrashTests/X.swift`.
package struct SourceIndex: Sendable {
    private var paths: [String: [String]] = [:]

    /// Creates an index. `paths` are relative to the package's root.
    package init(paths: [String] = []) {
        for path in paths { self.paths[Self.baseName(path), default: []].append(path) }
    }

    /// Returns the path of the only file with an ending, or `nil` if there are none or several.
    package func path(of end: String) -> String? {
        guard !paths.isEmpty, !end.hasPrefix("/") else { return nil }
        let candidates = paths[Self.baseName(end)]?.filter { $0 == end || $0.hasSuffix("/\(end)") } ?? []
        return candidates.count == 1 ? candidates[0] : nil
    }

    private static func baseName(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

/// A conversion of the absolute paths in a log to paths relative to the package's root.
struct SourcePaths: Sendable {
    /// The root with a trailing slash. Empty if the root is unknown.
    let root: [UInt8]
    private let sources: SourceIndex

    init(root: String, sources: SourceIndex = SourceIndex()) {
        self.sources = sources
        let bytes = Array(root.utf8)
        self.root = bytes.isEmpty || bytes.last == UInt8(ascii: "/") ? bytes : bytes + [UInt8(ascii: "/")]
    }

    func relative(_ path: Bytes) -> String {
        !root.isEmpty && path.hasPrefix(root) ? path.from(root.count).string : path.string
    }

    /// Parses `path:line` or `path:line:column`. Returns `nil` for pseudo files and line 0.
    func location(_ text: Bytes) -> SourceLocation? {
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")), let last = text.number(at: colon + 1),
            last.end == text.count
        else { return nil }
        if let before = text.lastIndex(of: UInt8(ascii: ":"), before: colon),
            let line = text.number(at: before + 1), line.end == colon
        {
            return location(text.upTo(before), line: line.value, column: last.value)
        }
        return location(text.upTo(colon), line: last.value, column: nil)
    }

    private func location(_ path: Bytes, line: Int, column: Int?) -> SourceLocation? {
        guard line > 0, !path.isEmpty, path[0] != UInt8(ascii: "<") else { return nil }
        let relative = relative(path)
        return SourceLocation(path: sources.path(of: relative) ?? relative, line: line, column: column)
    }

    /// Returns the location of a path, line and column.
    func location(path: Bytes, line: Int, column: Int) -> SourceLocation? {
        location(path, line: line, column: column > 0 ? column : nil)
    }

    /// Returns the start index of a path that ends at an index. Output without a line break may precede the path.
    func start(ofPathIn text: Bytes, endingAt end: Int) -> Int {
        let head = text.upTo(end)
        if !root.isEmpty, let start = head.lastIndex(of: root) { return start }
        if let pseudo = head.lastIndex(of: UInt8(ascii: "<")),
            head.from(pseudo).hasPrefix("<EXPR>") || head.from(pseudo).hasPrefix("<unknown>")
        {
            return pseudo
        }
        return head.firstIndex(of: UInt8(ascii: "/")) ?? 0
    }
}
