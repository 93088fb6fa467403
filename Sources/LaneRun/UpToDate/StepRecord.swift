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
        Self.isNewer(inputs, than: other.inputs) || Self.isNewer(made, than: other.made)
    }

    private static func isNewer(_ files: [FileRecord], than others: [FileRecord]) -> Bool {
        files.indices.contains { files[$0].lookedAt != others[$0].lookedAt }
    }
}

/// Records in bytes: numbers as LEB128, texts with their length in front. In a file each has its step's id in front, and
/// its length.
struct RecordWriter {
    private(set) var bytes: [UInt8]

    init(header: [UInt8] = []) {
        bytes = header
    }

    /// A record as it stands in a file, or is to stand there.
    mutating func add(_ step: String, _ record: ArraySlice<UInt8>) {
        add(step)
        add(UInt64(record.count))
        bytes += record
    }

    /// All of it but the step's id.
    mutating func add(_ record: StepRecord) {
        add(record.fingerprint)
        add(record.inputs)
        add(record.made)
        add(record.results)
    }

    private mutating func add(_ files: [FileRecord]) {
        add(UInt64(files.count))
        for file in files {
            add(file.path)
            add(file.digest)
            add(UInt64(bitPattern: file.stamp.size))
            add(UInt64(bitPattern: file.stamp.modified))
            add(UInt64(bitPattern: file.stamp.changed))
            add(file.stamp.inode)
            add(UInt64(file.stamp.mode))
            add(UInt64(bitPattern: file.lookedAt))
        }
    }

    private mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        bytes += text.utf8
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
    static let header = Array("lane state 2\n".utf8)

    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    init?(file bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else { return nil }
        self.init(bytes, Self.header.count..<bytes.count)
    }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// The next record of a file: its step's id, and where it is.
    mutating func entry() -> (step: String, place: Range<Int>)? {
        guard let step = text(), let place = range() else { return nil }
        return (step, place)
    }

    mutating func record(of step: String) -> StepRecord? {
        guard let fingerprint = run(), let inputs = files(), let made = files(), let results = run() else { return nil }
        return StepRecord(step: step, fingerprint: fingerprint, inputs: inputs, made: made, results: results)
    }

    private mutating func files() -> [FileRecord]? {
        guard let count = number(), count <= UInt64(end - place) else { return nil }
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

    private mutating func text() -> String? { range().map { String(decoding: bytes[$0], as: UTF8.self) } }

    private mutating func run() -> [UInt8]? { range().map { Array(bytes[$0]) } }

    /// The place of what has its length in front.
    private mutating func range() -> Range<Int>? {
        guard let count = number(), count <= UInt64(end - place) else { return nil }
        defer { place += Int(count) }
        return place..<place + Int(count)
    }

    private mutating func number() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while place < end, shift < 64 {
            let byte = bytes[place]
            place += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }
}
