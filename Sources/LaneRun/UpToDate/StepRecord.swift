/// A step that ended well: what it was, what it read and what it made.
struct StepRecord: Equatable, Sendable {
    let step: String
    /// Of its action, settings and environment.
    let fingerprint: [UInt8]
    var inputs: [FileRecord]
    var made: [FileRecord]
    /// What it told later steps, as JSON.
    let results: [UInt8]

    /// Whether one of its files was looked at later than in another record of the same work.
    func isNewer(than other: StepRecord) -> Bool {
        zip(inputs, other.inputs).contains { $0.lookedAt != $1.lookedAt }
            || zip(made, other.made).contains { $0.lookedAt != $1.lookedAt }
    }
}

/// Records in bytes: numbers as LEB128, texts with their length in front.
struct RecordWriter {
    private(set) var bytes: [UInt8] = Array(RecordReader.header)

    mutating func add(_ record: StepRecord) {
        add(Array(record.step.utf8))
        add(record.fingerprint)
        add(record.inputs)
        add(record.made)
        add(record.results)
    }

    private mutating func add(_ files: [FileRecord]) {
        add(UInt64(files.count))
        for file in files {
            add(Array(file.path.utf8))
            add(file.digest)
            add(UInt64(bitPattern: file.stamp.size))
            add(UInt64(bitPattern: file.stamp.modified))
            add(UInt64(bitPattern: file.stamp.changed))
            add(file.stamp.inode)
            add(UInt64(file.stamp.mode))
            add(UInt64(bitPattern: file.lookedAt))
        }
    }

    private mutating func add(_ text: [UInt8]) {
        add(UInt64(text.count))
        bytes += text
    }

    private mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads what `RecordWriter` wrote. Anything else is no record at all: it costs a run, not a wrong result.
struct RecordReader {
    static let header = Array("lane state 1\n".utf8)

    private let bytes: [UInt8]
    private var place: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else { return nil }
        self.bytes = bytes
        place = Self.header.count
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func record() -> StepRecord? {
        guard let step = text(), let fingerprint = run(), let inputs = files(), let made = files(), let results = run()
        else { return nil }
        return StepRecord(step: step, fingerprint: fingerprint, inputs: inputs, made: made, results: results)
    }

    private mutating func files() -> [FileRecord]? {
        guard let count = number(), count <= UInt64(bytes.count) else { return nil }
        var files: [FileRecord] = []
        files.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let path = text(), let digest = run(), let size = number(), let modified = number(),
                let changed = number(), let inode = number(), let mode = number(), let lookedAt = number()
            else { return nil }
            var stamp = FileStamp()
            stamp.size = Int64(bitPattern: size)
            stamp.modified = Int64(bitPattern: modified)
            stamp.changed = Int64(bitPattern: changed)
            stamp.inode = inode
            stamp.mode = UInt32(truncatingIfNeeded: mode)
            files.append(FileRecord(path: path, stamp: stamp, lookedAt: Int64(bitPattern: lookedAt), digest: digest))
        }
        return files
    }

    private mutating func text() -> String? { run().map { String(decoding: $0, as: UTF8.self) } }

    private mutating func run() -> [UInt8]? {
        guard let count = number(), count <= UInt64(bytes.count - place) else { return nil }
        defer { place += Int(count) }
        return Array(bytes[place..<place + Int(count)])
    }

    private mutating func number() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }
}
