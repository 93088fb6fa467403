import Events
import Text

/// The encoding of a run in the history file.
///
/// A block is the word `LTR1`, the length of its content in four bytes, a checksum of eight bytes (FNV-1a), and the
/// content: the run's properties, the names of tests that no earlier block names, and 13 bytes for each result. A result
/// refers to its test by a hash of the name. Numbers are little-endian.
///
/// A reader skips bytes that are not a valid block, such as an incomplete block of a killed process.
enum RunBlock {
    static let word = Array("LTR1".utf8)
    private static let headerSize = 16
    private static let unknownDuration = UInt32.max
    private static let maximumAttempt = 31

    /// Returns the block of a run. Adds its tests to `known`.
    static func encode(_ run: TestRunResults, known: inout Set<UInt64>) -> [UInt8] {
        var content = ByteWriter()
        content.append(run.startedAt.bitPattern)
        content.append(shortText: run.origin.commit ?? "")
        content.append(UInt8(run.origin.isModified ? 1 : 0))
        content.append(shortText: run.origin.machine)
        let results = run.results.map { (key: $0.test.key, result: $0) }
        let new = results.filter { known.insert($0.key).inserted }
        content.append(UInt32(new.count))
        for (key, result) in new {
            content.append(key)
            content.append(UInt8(result.test.library == .xctest ? 0 : 1))
            for part in [result.test.module, result.test.suite, result.test.name] { content.append(text: part) }
        }
        content.append(UInt32(results.count))
        for (key, result) in results {
            content.append(key)
            content.append(result.outcome.rawValue | UInt8(max(0, min(result.attempt, maximumAttempt))) << 3)
            content.append(
                result.microseconds.flatMap { UInt32(exactly: $0) }.map { min($0, unknownDuration - 1) }
                    ?? unknownDuration)
        }
        var block = ByteWriter()
        block.bytes = word
        block.append(UInt32(content.bytes.count))
        block.append(checksum(content.bytes[...]))
        return block.bytes + content.bytes
    }

    /// Calls `body` with the content and the checksum of every undamaged block, in order.
    static func forEach(in bytes: [UInt8], _ body: (ArraySlice<UInt8>, UInt64) -> Void) {
        var start = 0
        while start + headerSize <= bytes.count {
            if bytes[start..<(start + 4)].elementsEqual(word) {
                var header = ByteReader(bytes[(start + 4)..<(start + headerSize)])
                let length = Int(header.number(UInt32.self) ?? 0)
                let sum = header.number(UInt64.self)
                let content = start + headerSize
                if length <= bytes.count - content, checksum(bytes[content..<(content + length)]) == sum, let sum {
                    body(bytes[content..<(content + length)], sum)
                    start = content + length
                    continue
                }
            }
            start = bytes[(start + 1)...].firstIndex(of: word[0]) ?? bytes.count
        }
    }

    /// Returns a Boolean value that indicates whether bytes consist of undamaged blocks.
    static func areWhole(_ bytes: [UInt8]) -> Bool {
        var size = 0
        forEach(in: bytes) { content, _ in size += headerSize + content.count }
        return size == bytes.count
    }

    /// Reads the names of a block into `names`, and returns the run. Results of tests without a name are omitted.
    static func decode(_ content: ArraySlice<UInt8>, names: inout [UInt64: TestID]) -> TestRunResults? {
        var reader = ByteReader(content)
        guard let time = reader.number(UInt64.self), let commit = reader.shortText(),
            let flags = reader.number(UInt8.self), let machine = reader.shortText(), readNames(&reader, into: &names),
            let count = reader.number(UInt32.self)
        else { return nil }
        var results: [AttemptResult] = []
        results.reserveCapacity(min(Int(count), content.count / 13))
        for _ in 0..<count {
            guard let key = reader.number(UInt64.self), let bits = reader.number(UInt8.self),
                let time = reader.number(UInt32.self)
            else { return nil }
            guard let test = names[key], let outcome = AttemptResult.Outcome(rawValue: bits & 7) else { continue }
            results.append(
                AttemptResult(
                    test: test, outcome: outcome, attempt: Int(bits >> 3),
                    microseconds: time == unknownDuration ? nil : Int(time)))
        }
        return TestRunResults(
            startedAt: Double(bitPattern: time),
            origin: TestOrigin(
                commit: commit.isEmpty ? nil : commit, isModified: flags & 1 != 0, machine: machine),
            results: results)
    }

    private static func readNames(_ reader: inout ByteReader, into names: inout [UInt64: TestID]) -> Bool {
        guard let count = reader.number(UInt32.self) else { return false }
        for _ in 0..<count {
            guard let key = reader.number(UInt64.self), let library = reader.number(UInt8.self),
                let module = reader.text(), let suite = reader.text(), let name = reader.text()
            else { return false }
            names[key] = TestID(
                library: library == 0 ? .xctest : .swiftTesting, module: module, suite: suite, name: name)
        }
        return true
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = StableHash()
        for byte in bytes { hash.add(UInt64(byte)) }
        return hash.value
    }
}

private struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    /// Appends a text of up to 65,535 bytes with its length.
    mutating func append(text: String) {
        let text = text.utf8.prefix(Int(UInt16.max))
        append(UInt16(text.count))
        bytes += text
    }

    /// Appends a text of up to 255 bytes with its length.
    mutating func append(shortText text: String) {
        let text = text.utf8.prefix(Int(UInt8.max))
        append(UInt8(text.count))
        bytes += text
    }
}

private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        let number = rest.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
        rest = rest.dropFirst(size)
        return number
    }

    mutating func text() -> String? { number(UInt16.self).flatMap { text(of: Int($0)) } }

    mutating func shortText() -> String? { number(UInt8.self).flatMap { text(of: Int($0)) } }

    private mutating func text(of length: Int) -> String? {
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }
}
