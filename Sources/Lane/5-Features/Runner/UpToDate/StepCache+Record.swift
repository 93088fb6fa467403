import Archives

extension StepCache {
    /// The record of a successful step: its fingerprint, inputs, outputs and results.
    struct Record: Equatable, Sendable {
        let step: String
        /// The digest of the action, settings and environment.
        let fingerprint: SHA256Digest
        var inputs: [FileRecord]
        var outputs: [FileRecord]
        /// The outputs for later steps, as JSON.
        let results: [UInt8]

        /// A Boolean value that indicates whether the content of a file was compared because its stamp was not
        /// sufficient.
        var hasNewStamps: Bool { inputs.contains { $0.isNew } || outputs.contains { $0.isNew } }
    }
}

extension StepCache.Record {
    /// Decodes a record; `nil` if the bytes are invalid.
    init?(_ step: String, _ bytes: [UInt8], _ range: Range<Int>? = nil) {
        var reader = RecordReader(bytes, range ?? bytes.indices)
        guard let record = reader.record(of: step) else { return nil }
        self = record
    }
}

/// An encoder of records. Counts are LEB128, other numbers have a fixed width, and strings follow their length. In a
/// file, each record follows the step's ID and the length of the record.
struct RecordWriter {
    private(set) var bytes: [UInt8]

    init(header: [UInt8] = []) {
        bytes = header
    }

    /// Adds an entry of the file: the step's ID and an encoded record.
    mutating func add(_ step: String, _ record: ArraySlice<UInt8>) {
        add(step)
        add(count: record.count)
        bytes += record
    }

    /// Adds a record without the step's ID.
    mutating func add(_ record: StepCache.Record) {
        add(record.fingerprint)
        add(record.inputs)
        add(record.outputs)
        add(record.results)
    }

    private mutating func add(_ files: [FileRecord]) {
        add(count: files.count)
        for file in files {
            add(file.path)
            switch file.content {
            case .nothing: add(number: UInt8(0))
            case .directory: add(number: UInt8(1))
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
            add(number: file.examinedAt)
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

/// A decoder of the format of `RecordWriter`. Invalid bytes are not a record, and the step runs again.
struct RecordReader {
    static let header = Array("lane state 5\n".utf8)

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init?(file bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else { return nil }
        self.init(bytes, Self.header.count..<bytes.count)
    }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Reads the next entry of the file: the step's ID and the range of the record.
    mutating func entry() -> (step: String, range: Range<Int>)? {
        guard let step = text(), let range = range() else { return nil }
        return (step, range)
    }

    mutating func record(of step: String) -> StepCache.Record? {
        guard let fingerprint = digest(), let inputs = files(), let outputs = files(), let results = run() else {
            return nil
        }
        return StepCache.Record(
            step: step, fingerprint: fingerprint, inputs: inputs, outputs: outputs, results: results)
    }

    private mutating func files() -> [FileRecord]? {
        guard let count = count() else { return nil }
        var files: [FileRecord] = []
        files.reserveCapacity(count)
        for _ in 0..<count {
            guard let path = text(), let content = content(), let stamp = stamp(), let examinedAt: Int64 = number()
            else {
                return nil
            }
            files.append(FileRecord(path: path, stamp: stamp, examinedAt: examinedAt, content: content))
        }
        return files
    }

    private mutating func text() -> String? { range().map { String(decoding: bytes[$0], as: UTF8.self) } }

    private mutating func run() -> [UInt8]? { range().map { Array(bytes[$0]) } }

    /// Reads a length, and returns the range of this number of bytes.
    private mutating func range() -> Range<Int>? {
        guard let count = count() else { return nil }
        defer { position += count }
        return position..<position + count
    }

    private mutating func content() -> FileRecord.Content? {
        guard let kind: UInt8 = number() else { return nil }
        switch kind {
        case 0: return .nothing
        case 1: return .directory
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
        guard end - position >= SHA256Digest.size else { return nil }
        defer { position += SHA256Digest.size }
        return bytes.withUnsafeBytes { bytes in
            SHA256Digest {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + $0.count]))
            }
        }
    }

    private mutating func number<Number: FixedWidthInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard end - position >= size else { return nil }
        defer { position += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    /// Reads a count. A valid count does not exceed the number of remaining bytes.
    private mutating func count() -> Int? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result <= UInt64(end - position) ? Int(result) : nil }
            shift += 7
        }
        return nil
    }
}
