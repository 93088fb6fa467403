/// An import of runs from a file of another machine: a history file or an event log.
package enum ResultFile {
    /// Returns the runs in a file, or `nil` if it has none of the formats.
    ///
    /// - Parameter commit: The commit of the runs of an event log, which does not contain the commit.
    package static func runs(in bytes: [UInt8], commit: String?) throws(ResultFileError) -> [TestRunResults]? {
        if bytes.starts(with: RunBlock.word) {
            guard RunBlock.areWhole(bytes) else {
                throw ResultFileError(line: nil, reason: "a part of the file is damaged or missing")
            }
            return ResultStore.runs(in: bytes)
        }
        return try EventImport.runs(in: Array(bytes.drop { $0.isSpaceOrMark }), commit: commit)
    }
}

/// An error in a file of results that lacks a part of its content.
package struct ResultFileError: Error, Equatable {
    /// The number of the line, or `nil` in a file without lines.
    package let line: Int?
    package let reason: String
}

extension UInt8 {
    /// A Boolean value that indicates whether the byte may precede the content of a text file: white space, or a part of
    /// the byte order mark.
    fileprivate var isSpaceOrMark: Bool { self <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains(self) }
}
