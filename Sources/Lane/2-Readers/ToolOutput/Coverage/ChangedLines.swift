/// The lines that a change has added or replaced.
package struct ChangedLines: Sendable, Equatable {
    /// The ranges of changed lines by path.
    private var ranges: [String: [ClosedRange<Int>]] = [:]

    /// Reads the output of `git diff --unified=0` with the prefixes `a/` and `b/`.
    package init(diff: [UInt8]) {
        var path: String?
        /// The number of remaining lines of the hunk.
        var remaining = 0
        for line in diff.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if remaining > 0 {
                // The hunk's line counts do not include `\ No newline at end of file`.
                if line.first != UInt8(ascii: "\\") { remaining -= 1 }
            } else if line.starts(with: "+++ ".utf8) {
                path = Self.path(line.dropFirst(4))
            } else if line.starts(with: "@@ -".utf8), let hunk = Self.hunk(line) {
                remaining = hunk.removed + hunk.added.count
                if let path, let last = hunk.added.last {
                    ranges[path, default: []].append(hunk.added.lowerBound...last)
                }
            }
        }
    }

    /// Adds all lines of an untracked file.
    package mutating func add(newFile path: String) {
        ranges[path] = [1...Int.max]
    }

    /// Returns a Boolean value that indicates whether a line has changed.
    func contains(_ line: Int, in path: String) -> Bool {
        ranges[path]?.contains { $0.contains(line) } ?? false
    }

    /// Returns the number of removed lines and the added lines of `@@ -1,2 +3,4 @@`, where a missing count is 1.
    private static func hunk(_ line: ArraySlice<UInt8>) -> (removed: Int, added: Range<Int>)? {
        let words = line.split(separator: UInt8(ascii: " ")).prefix(3)
        guard words.count == 3 else { return nil }
        let parts = words.dropFirst().map { word in
            word.dropFirst().split(separator: UInt8(ascii: ",")).map { Int(String(decoding: $0, as: UTF8.self)) }
        }
        guard parts.count == 2, let start = parts[1].first ?? nil, let removed = parts[0].count > 1 ? parts[0][1] : 1,
            let added = parts[1].count > 1 ? parts[1][1] : 1, start >= 0, added >= 0, removed >= 0
        else { return nil }
        return (removed, start..<start + added)
    }

    /// Returns the path after `b/`, or `nil` for a deleted file. Git quotes some paths, and adds a tab to paths with
    /// spaces.
    private static func path(_ word: ArraySlice<UInt8>) -> String? {
        var bytes = word.last == 0x09 ? word.dropLast() : word
        if bytes.first == UInt8(ascii: "\""), bytes.count > 1 { bytes = unquoted(bytes.dropFirst().dropLast())[...] }
        guard bytes.starts(with: "b/".utf8) else { return nil }
        return String(decoding: bytes.dropFirst(2), as: UTF8.self)
    }

    /// Returns the bytes of a quoted path with C escapes.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "0")...UInt8(ascii: "3"):
                let digits = [escape] + rest.prefix(2)
                rest = rest.dropFirst(2)
                bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0)
            case UInt8(ascii: "a"): bytes.append(0x07)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "v"): bytes.append(0x0B)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            default: bytes.append(escape)
            }
        }
        return bytes
    }
}

extension CoverageReport {
    /// Returns the coverage of only the changed lines, without files that have no changed lines of code.
    package func restricted(to changed: ChangedLines) -> CoverageReport {
        CoverageReport(
            files: files.compactMap { file in
                let lines = file.lines.filter { changed.contains($0.number, in: file.path) }
                return lines.isEmpty ? nil : FileCoverage(path: file.path, lines: lines)
            })
    }

    /// The uncovered lines of each file in the form `Sources/A.swift:3-5,8`.
    package var uncoveredRanges: [String] {
        files.filter { $0.covered < $0.lines.count }.map { "\($0.path):\($0.uncoveredRanges)" }
    }
}
