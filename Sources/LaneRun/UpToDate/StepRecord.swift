import Archives

/// A step that ended well: what it was, what it read and what it made.
struct StepRecord: Equatable, Sendable {
    let step: String
    /// Of its action, settings and environment.
    let fingerprint: SHA256Digest
    var inputs: [FileRecord]
    var made: [FileRecord]
    /// What it told later steps, as JSON.
    let results: [UInt8]

    /// Whether one of its files had to be looked at more closely than by its stamp.
    var hasNewLooks: Bool { inputs.contains { $0.isNewLook } || made.contains { $0.isNewLook } }
}

extension StepRecord {
    /// The record in these bytes; `nil` where there is none.
    init?(_ step: String, _ bytes: [UInt8], _ range: Range<Int>? = nil) {
        var reader = RecordReader(bytes, range ?? bytes.indices)
        guard let record = reader.record(of: step) else { return nil }
        self = record
    }
}

/// Records in bytes: counts as LEB128, other numbers in their full width, texts with their length in front. In a file each
/// has its step's id in front, and its length.
struct RecordWriter {
    private(set) var bytes: [UInt8]

    init(header: [UInt8] = []) {
        bytes = header
    }

    /// A record as it stands in a file, or is to stand there.
    mutating func add(_ step: String, _ record: ArraySlice<UInt8>) {
        add(step)
        add(count: record.count)
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
        add(count: files.count)
        for file in files {
            add(file.path)
            switch file.content {
            case .nothing: add(number: UInt8(0))
            case .folder: add(number: UInt8(1))
            case .bytes(let digest):
                add(number: UInt8(2))
                add(digest)
            case .link(let digest):
                add(number: UInt8(3))
                add(digest)
            case .special: add(number: UInt8(4))
            }
            add(number: file.stamp.size)
            add(number: file.stamp.modified)
            add(number: file.stamp.changed)
            add(number: file.stamp.inode)
            add(number: file.stamp.mode)
            add(number: file.lookedAt)
        }
    }

    private mutating func add(_ digest: SHA256Digest) { bytes += digest.bytes }

    private mutating func add(number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(_ text: String) {
        add(count: text.utf8.count)
        bytes += text.utf8
    }

    private mutating func add(_ text: [UInt8]) {
        add(count: text.count)
        bytes += text
    }

    private mutating func add(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads what `RecordWriter` wrote. Anything else is no record at all: it costs a run, not a wrong result.
struct RecordReader {
    static let header = Array("lane state 4\n".utf8)

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
        guard let fingerprint = digest(), let inputs = files(), let made = files(), let results = run() else {
            return nil
        }
        return StepRecord(step: step, fingerprint: fingerprint, inputs: inputs, made: made, results: results)
    }

    private mutating func files() -> [FileRecord]? {
        guard let count = count() else { return nil }
        var files: [FileRecord] = []
        files.reserveCapacity(count)
        for _ in 0..<count {
            guard let path = text(), let content = content(), let stamp = stamp(), let lookedAt: Int64 = number() else {
                return nil
            }
            files.append(FileRecord(path: path, stamp: stamp, lookedAt: lookedAt, content: content))
        }
        return files
    }

    private mutating func text() -> String? { range().map { String(decoding: bytes[$0], as: UTF8.self) } }

    private mutating func run() -> [UInt8]? { range().map { Array(bytes[$0]) } }

    /// The place of what has its length in front.
    private mutating func range() -> Range<Int>? {
        guard let count = count() else { return nil }
        defer { place += count }
        return place..<place + count
    }

    private mutating func content() -> FileRecord.Content? {
        guard let kind: UInt8 = number() else { return nil }
        switch kind {
        case 0: return .nothing
        case 1: return .folder
        case 2: return digest().map { .bytes($0) }
        case 3: return digest().map { .link($0) }
        case 4: return .special
        default: return nil
        }
    }

    private mutating func stamp() -> FileStamp? {
        var stamp = FileStamp()
        guard let size: Int64 = number(), let modified: Int64 = number(), let changed: Int64 = number(),
            let inode: UInt64 = number(), let mode: UInt32 = number()
        else { return nil }
        (stamp.size, stamp.modified, stamp.changed, stamp.inode, stamp.mode) = (size, modified, changed, inode, mode)
        return stamp
    }

    private mutating func digest() -> SHA256Digest? {
        guard end - place >= SHA256Digest.size else { return nil }
        defer { place += SHA256Digest.size }
        return bytes.withUnsafeBytes { bytes in
            SHA256Digest { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + $0.count])) }
        }
    }

    private mutating func number<Number: FixedWidthInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard end - place >= size else { return nil }
        defer { place += size }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }

    /// How many of something follow; no more than there are bytes.
    private mutating func count() -> Int? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while place < end, shift < 64 {
            let byte = bytes[place]
            place += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result <= UInt64(end - place) ? Int(result) : nil }
            shift += 7
        }
        return nil
    }
}
