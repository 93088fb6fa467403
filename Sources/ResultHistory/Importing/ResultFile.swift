/// The runs in a file that another machine wrote: a history file, an event log, or a JUnit report.
package enum ResultFile {
    /// Returns the runs in a file, or `nil` if it has none of the formats.
    ///
    /// - Parameters:
    ///   - commit: The commit of event logs and JUnit reports, which do not contain it.
    ///   - modified: Seconds since 1970, the start of a JUnit report without a `timestamp`.
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
