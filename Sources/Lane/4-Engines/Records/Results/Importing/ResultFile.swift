import Events

/// An import of runs from a file of another machine: a history file or an event log.
package enum ResultFile {
    /// Returns the runs in a file, or `nil` if it has none of the formats.
    ///
    /// - Parameter commit: The commit of the runs in an event log that does not contain it.
    package static func runs(in bytes: [UInt8], commit: String?) throws(ResultFileError) -> [TestRunResults]? {
        if bytes.starts(with: RunBlock.word) {
            guard RunBlock.areWhole(bytes) else {
                throw ResultFileError(line: nil, reason: "a part of the file is damaged or missing")
            }
            return ResultStore.runs(in: bytes)
        }
        return try runs(inEvents: Array(bytes.drop { $0.isSpaceOrMark }), commit: commit)
    }

    /// Returns the runs with results in a file of events, or `nil` if it contains no event.
    private static func runs(inEvents bytes: [UInt8], commit: String?) throws(ResultFileError) -> [TestRunResults]? {
        guard bytes.starts(with: #"{"event":"#.utf8) else { return nil }
        var log = CollectedResults()
        var sequence = EventSequence()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let isEnded = index + 1 < lines.count
            if let error = sequence.error(in: line, isEnded: isEnded) {
                throw ResultFileError(line: index + 1, reason: error)
            }
            guard isEnded else { break }
            do throws(EventLineError) {
                if let event = try EventLineDecoder.decode(Array(line)) { log.add(event) }
            } catch {
                throw ResultFileError(line: index + 1, reason: "not an event: \(error.message)")
            }
        }
        guard sequence.hasEnded else {
            throw ResultFileError(line: lines.count, reason: "the file ends before the end of its run")
        }
        return log.runs.filter { !$0.results.isEmpty }.map { run in
            var run = run
            if run.origin.commit == nil { run.origin = TestOrigin(commit: commit, machine: run.origin.machine) }
            return run
        }
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
