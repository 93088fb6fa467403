/// An import of runs from a file of another machine: a history file or an event log.
package enum ResultFile {
    /// Returns the runs in a file, or `nil` if it has none of the formats.
    ///
    /// - Parameter commit: The commit of the runs of an event log, which does not contain the commit.
    package static func runs(in bytes: [UInt8], commit: String?) -> [RecordedRun]? {
        if bytes.starts(with: RunBlock.word) { return ResultStore.runs(in: bytes) }
        let start = bytes.drop { $0.isSpaceOrMark }
        return start.first == UInt8(ascii: "{") ? EventImport.runs(in: bytes, commit: commit) : nil
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the byte may precede the content of a text file: white space, or a part of
    /// the byte order mark.
    fileprivate var isSpaceOrMark: Bool { self <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains(self) }
}
