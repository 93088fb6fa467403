package import Events
import OperatingSystem

/// A file of events, as `--events` writes it.
package struct EventFile: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// Calls `body` with each event in turn. A last line without its end is ignored: its writer was killed.
    ///
    /// - Parameters:
    ///   - words: The words of the events to read, or `nil` for all.
    ///   - isWhole: A Boolean value that indicates whether a file without some events of a run, or with other lines, is
    ///     an error.
    package func read(
        only words: [String]? = nil, isWhole: Bool = false, _ body: (LaneEvent) throws(MergeError) -> Void
    ) throws(MergeError) {
        let starts = words?.map { Array("{\"event\":\"\($0)\"".utf8) }
        var number = 0
        var sequence = EventSequence()
        try lines { (line, isEnded) throws(MergeError) in
            number += 1
            if isWhole, let error = sequence.error(in: line, isEnded: isEnded) {
                throw .incomplete(path: path, line: number, reason: error)
            }
            guard isEnded else { return }
            if let starts, !starts.contains(where: line.starts) { return }
            let event: LaneEvent?
            do throws(EventLineError) {
                event = try EventLineDecoder.decode(Array(line))
            } catch {
                throw .damaged(path: path, line: number, reason: error.message)
            }
            if let event { try body(event) }
        }
    }

    private func lines(_ body: (ArraySlice<UInt8>, _ isEnded: Bool) throws(MergeError) -> Void) throws(MergeError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var pending: [UInt8] = []
        do {
            let file = try ReadableFile(path)
            while let chunk = try file.next(in: buffer) {
                // The bytes of earlier chunks contain no line feed.
                var searched = pending.endIndex
                pending += chunk
                var start = pending.startIndex
                while let end = pending[searched...].firstIndex(of: Self.lineFeed) {
                    if end > start { try body(pending[start..<end], true) }
                    start = end + 1
                    searched = start
                }
                pending.removeSubrange(..<start)
            }
            if !pending.isEmpty { try body(pending[...], false) }
        } catch let error as FileError {
            throw .cannotRead(error)
        } catch let error as MergeError {
            throw error
        } catch {
            preconditionFailure("an unknown error: \(error)")
        }
    }
}
