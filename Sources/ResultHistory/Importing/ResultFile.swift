/// An import of runs from a file of another machine: a history file, an event log, or a JUnit report.
package enum ResultFile {
    /// Returns the runs in a file, or `nil` if it has none of the formats.
    ///
    /// - Parameters:
    ///   - commit: The commit of the runs, for event logs and JUnit reports, which do not contain the commit.
    ///   - modified: The start of the run if a JUnit report has no `timestamp`, in seconds since 1970.
    package static func runs(
        in bytes: [UInt8], commit: String?, modified: Double
    ) -> [RecordedRun]? {
        if bytes.starts(with: RunBlock.word) { return ResultStore.runs(in: bytes) }
        let start = bytes.drop { $0.isSpaceOrMark }
        if start.first == UInt8(ascii: "<") {
            return JUnitImport.run(in: bytes, commit: commit, startedAt: modified).map { [$0] }
        }
        return start.first == UInt8(ascii: "{") ? EventImport.runs(in: bytes, commit: commit) : nil
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the byte may precede the content of a text file: white space, or a part of
    /// the byte order mark.
    fileprivate var isSpaceOrMark: Bool { self <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains(self) }
}
