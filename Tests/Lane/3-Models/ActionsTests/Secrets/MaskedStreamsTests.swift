import Actions
import OperatingSystem
import TestSupport
import Testing

@Suite struct MaskedStreamsTests {
    private struct Chunk: CustomStringConvertible {
        let source: OutputSource
        let text: String
        var description: String { "\(source == .standardOutput ? "out" : "err"):\(text)" }
    }

    /// Returns all output in the order of arrival.
    private static func masked(_ chunks: [Chunk], _ mask: SecretMask) -> [Chunk] {
        var streams = MaskedStreams(mask)
        var result: [Chunk] = []
        let output: (OutputSource, UnsafeRawBufferPointer) -> Void = {
            result.append(Chunk(source: $0, text: String(decoding: $1, as: UTF8.self)))
        }
        for chunk in chunks {
            Array(chunk.text.utf8).withUnsafeBytes { streams.pass($0, from: chunk.source, to: output) }
        }
        streams.finish(to: output)
        return result
    }

    private static func text(_ chunks: [Chunk], of source: OutputSource? = nil) -> String {
        chunks.filter { source == nil || $0.source == source }.map(\.text).joined()
    }

    @Test(arguments: [1, 3, 5, 8])
    func aSecretSplitBetweenStreamsIsMasked(first: Int) {
        let secret = "hunter2-x"
        let chunks = [
            Chunk(source: .standardOutput, text: "a " + secret.prefix(first)),
            Chunk(source: .standardError, text: secret.dropFirst(first) + " b\n"),
        ]
        let result = Self.masked(chunks, SecretMask(["S": secret]))
        #expect(Self.text(result, of: .standardOutput) == "a ***")
        #expect(Self.text(result, of: .standardError) == " b\n")
    }

    @Test func aSecretInOneStreamIsMaskedRegardlessOfTheOther() {
        let mask = SecretMask(["S": "hunter2-x", "T": "hunter2-x-longer"])
        let chunks = [
            Chunk(source: .standardOutput, text: "a hunter2-x"), Chunk(source: .standardError, text: "warning\n"),
            Chunk(source: .standardOutput, text: "-longer b\n"),
        ]
        let result = Self.masked(chunks, mask)
        #expect(Self.text(result, of: .standardOutput) == "a *** b\n")
        #expect(Self.text(result, of: .standardError) == "warning\n")
    }

    /// Parts of two secrets in chunks of both streams. Their letters differ, so a different order of chunks rarely
    /// forms a secret.
    @Test func noSecretIsVisibleInOneOrBothStreams() {
        let secrets = ["abcdef", "ghijklmn"]
        let part = zip(
            Generator<Int>.integer(in: 0...2), Generator<Int>.integer(in: 0...7), Generator<Int>.integer(in: 0...8)
        ).map { secret, start, count in
            secret == 2 ? " " : String(secrets[secret].dropFirst(start % 6 * (count % 2)).prefix(count))
        }
        let chunk = zip(Generator<Int>.integer(in: 0...1), part)
            .map { Chunk(source: $0 == 0 ? .standardOutput : .standardError, text: $1) }
        let mask = SecretMask(["S": secrets[0], "T": secrets[1]])
        checkProperty("masked streams", chunk.array(count: 1...12), cases: 3_000) { chunks in
            let result = Self.masked(chunks, mask)
            let orders: [OutputSource?] = [nil, .standardOutput, .standardError]
            var isTouched = false
            for order in orders {
                let shown = Self.text(result, of: order)
                for secret in secrets where Self.text(chunks, of: order).contains(secret) {
                    isTouched = true
                    if shown.contains(secret) { return false }
                }
            }
            // Text without a secret is unchanged.
            return try isTouched
                || orders.dropFirst().allSatisfy {
                    try expectEqual(Self.text(result, of: $0), Self.text(chunks, of: $0))
                }
        }
    }
}
