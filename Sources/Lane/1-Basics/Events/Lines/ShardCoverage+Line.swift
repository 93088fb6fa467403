import Text

extension ShardCoverage {
    func write(to writer: inout JSONWriter) {
        if let threshold { writer.member("threshold", threshold) }
        if let changedThreshold { writer.member("changedThreshold", changedThreshold) }
        writer.optional("base", base)
        writer.array("files") { writer in
            for file in files {
                writer.object { writer in
                    writer.member("path", file.path)
                    writer.member("lines", CountedRanges.text(file.counts))
                    if !file.changed.isEmpty {
                        let changed = file.changed.map { ($0, [1]) }
                        writer.member("changed", CountedRanges.text(Dictionary(uniqueKeysWithValues: changed)))
                    }
                }
            }
        }
    }
}

extension EventFields {
    func shardCoverage() throws(EventLineError) -> ShardCoverage {
        var files: [ShardCoverage.File] = []
        for file in try objects("files") {
            let changed = file.node["changed"] == nil ? [:] : try file.countedLines("changed")
            files.append(
                ShardCoverage.File(
                    path: try file.string("path"), counts: try file.countedLines("lines"), changed: Set(changed.keys)))
        }
        return ShardCoverage(
            files: files, threshold: node["threshold"]?.integer, changedThreshold: node["changedThreshold"]?.integer,
            base: try optionalString("base"))
    }

    private func countedLines(_ name: String) throws(EventLineError) -> [Int: [Int]] {
        let text = try string(name)
        guard let counts = CountedRanges.counts(text) else {
            throw EventLineError(message: "expected ranges of lines for '\(name)', found '\(text.prefix(40))'")
        }
        return counts
    }
}

/// Counts of lines as text, in which adjacent lines with the same counts are a range: `3-4:2,9:0+1`.
private enum CountedRanges {
    /// The largest range that is read.
    private static let limit = 1_000_000

    static func text(_ counts: [Int: [Int]]) -> String {
        var ranges: [(first: Int, last: Int, counts: [Int])] = []
        for (line, counts) in counts.sorted(by: { $0.key < $1.key }) {
            if let range = ranges.last, range.last == line - 1, range.counts == counts {
                ranges[ranges.count - 1].last = line
            } else {
                ranges.append((line, line, counts))
            }
        }
        return ranges.map { range in
            (range.first == range.last ? "\(range.first)" : "\(range.first)-\(range.last)") + ":"
                + range.counts.map(String.init).joined(separator: "+")
        }
        .joined(separator: ",")
    }

    static func counts(_ text: String) -> [Int: [Int]]? {
        var counts: [Int: [Int]] = [:]
        for range in text.split(separator: ",") {
            let parts = range.split(separator: ":", omittingEmptySubsequences: false)
            let lines = (parts.first ?? "").split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, lines.count <= 2, let first = lines.first ?? nil, let last = lines.last ?? nil,
                first >= 0, first <= last, last - first < limit - counts.count
            else { return nil }
            let regions = parts[1].split(separator: "+", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
            guard regions.allSatisfy({ $0 >= 0 }) else { return nil }
            for line in first...last { counts[line] = regions }
        }
        return counts
    }
}
