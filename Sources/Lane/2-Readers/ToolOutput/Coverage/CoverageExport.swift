import Text

/// The coverage in the JSON output of `llvm-cov export`.
package struct CoverageExport: Sendable {
    /// An error that indicates that the input is not the output of `llvm-cov export`.
    package struct Malformed: Error {}

    /// The coverage of each file, with the absolute path that the compiler recorded.
    package let files: [FileCoverage]

    package init(json: [UInt8]) throws(Malformed) {
        guard let files = (try? JSONParser.parse(json))?["data"]?.array?.first?["files"]?.array else {
            throw Malformed()
        }
        self.files = files.compactMap { file in
            guard let path = file["filename"]?.string, let segments = file["segments"]?.array else { return nil }
            return FileCoverage(path: path, lines: Self.lines(of: segments.compactMap(Segment.init)))
        }
    }

    /// A position in a file. Its count applies up to the next segment.
    struct Segment {
        let line: Int
        let count: Int
        /// A Boolean value that indicates whether the segment has a count: `false` between functions.
        let hasCount: Bool
        let isRegionEntry: Bool
        /// A Boolean value that indicates whether the segment is between two statements.
        let isGap: Bool

        /// Creates a segment from its line, column, count and three flags.
        init?(_ json: JSONNode) {
            guard let values = json.array, values.count >= 5, let line = values[0].integer,
                let count = values[2].integer
            else { return nil }
            self.line = line
            self.count = count
            hasCount = values[3].bool ?? false
            isRegionEntry = values[4].bool ?? false
            isGap = values.count > 5 && values[5].bool ?? false
        }

        /// A Boolean value that indicates whether code starts at the segment.
        var startsCode: Bool { hasCount && isRegionEntry && !isGap }
    }

    /// The maximum number of lines between the beginnings of two regions. No function is longer.
    private static let maximumGap = 1_000_000

    /// Returns the lines with code and their counts. They are the same as those of `llvm-cov` for `-format=lcov`.
    static func lines(of segments: [Segment]) -> [FileCoverage.Line] {
        var lines: [FileCoverage.Line] = []
        var rest = segments[...]
        /// The last segment before the line.
        var wrapping: Segment?
        var number = segments.first?.line ?? 0
        while let next = rest.first {
            // `#sourceLocation` can leave out or repeat any number of lines.
            if !(number...(number + maximumGap)).contains(next.line) { number = next.line }
            let here = rest.prefix { $0.line == number }
            rest = rest.dropFirst(here.count)
            if let counts = counts(of: here, in: wrapping) { lines.append(FileCoverage.Line(number, regions: counts)) }
            wrapping = here.last ?? wrapping
            number += 1
        }
        return lines
    }

    /// Returns the counts of the regions on a line, or `nil` if it has no code. The region around its start comes first.
    private static func counts(of segments: ArraySlice<Segment>, in wrapping: Segment?) -> [Int]? {
        let entries = segments.filter(\.startsCode)
        let startsSkipped = segments.first.map { !$0.hasCount && $0.isRegionEntry } ?? false
        let hasCode = !startsSkipped && (wrapping?.hasCount == true || !entries.isEmpty)
        guard hasCode || segments.contains(where: { $0.hasCount && $0.isRegionEntry }) else { return nil }
        return [wrapping?.count ?? 0] + entries.map(\.count)
    }
}
