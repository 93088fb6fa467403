package import OperatingSystem

/// A filter that masks secrets in standard output and standard error of a process.
///
/// The filter searches each stream, and both streams together in the order of arrival, because a terminal shows a
/// secret whose halves are in different streams.
package struct MaskedStreams {
    package typealias Output = (OutputSource, UnsafeRawBufferPointer) -> Void

    private var arrivals: MaskedStream
    /// The sources of the held bytes of `arrivals`, run-length encoded.
    private var runs: [(source: OutputSource, count: Int)] = []
    private var standardOutput: MaskedStream
    private var standardError: MaskedStream

    package init(_ mask: SecretMask) {
        arrivals = MaskedStream(mask)
        standardOutput = arrivals
        standardError = arrivals
    }

    /// Masks bytes and passes them to `output`. Holds back bytes that may be the start of a secret.
    package mutating func pass(_ bytes: UnsafeRawBufferPointer, from source: OutputSource, to output: Output) {
        if let last = runs.indices.last, runs[last].source == source {
            runs[last].count += bytes.count
        } else {
            runs.append((source, bytes.count))
        }
        var arrivals = arrivals
        arrivals.pass(bytes) { piece in distribute(piece, output) }
        self.arrivals = arrivals
        dropRuns(keeping: arrivals.heldCount)
    }

    /// Passes the held bytes to `output` at the end of both streams.
    package mutating func finish(to output: Output) {
        var arrivals = arrivals
        arrivals.finish { piece in distribute(piece, output) }
        self.arrivals = arrivals
        runs = []
        standardOutput.finish { output(.standardOutput, $0) }
        standardError.finish { output(.standardError, $0) }
    }

    /// Passes a piece to the filters of its streams, which search each stream. The replacement of a secret in both
    /// streams belongs to the stream in which the secret starts.
    private mutating func distribute(_ piece: MaskedStream.Piece, _ output: Output) {
        if let secret = piece.secret, parts(of: secret).count > 1 {
            guard piece.beginsSecret, let source = parts(of: secret).first?.source else { return }
            return MaskedStream.replacement.withUnsafeBytes { passToStream($0, from: source, output) }
        }
        var rest = piece.bytes
        for part in parts(of: piece.range) {
            passToStream(UnsafeRawBufferPointer(rebasing: rest[..<part.count]), from: part.source, output)
            rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
        }
    }

    /// Returns the runs in a range.
    private func parts(of range: Range<Int>) -> [(source: OutputSource, count: Int)] {
        var start = 0
        var parts: [(source: OutputSource, count: Int)] = []
        for run in runs {
            let part = (start..<start + run.count).clamped(to: range)
            if !part.isEmpty { parts.append((run.source, part.count)) }
            start += run.count
        }
        return parts
    }

    private mutating func passToStream(_ bytes: UnsafeRawBufferPointer, from source: OutputSource, _ output: Output) {
        switch source {
        case .standardOutput: standardOutput.pass(bytes) { output(.standardOutput, $0) }
        case .standardError: standardError.pass(bytes) { output(.standardError, $0) }
        }
    }

    private mutating func dropRuns(keeping count: Int) {
        var surplus = runs.reduce(0) { $0 + $1.count } - count
        while surplus > 0, let first = runs.first {
            if first.count > surplus {
                runs[0].count -= surplus
                return
            }
            surplus -= first.count
            runs.removeFirst()
        }
    }
}
