import CDeflate
import OperatingSystem

/// A writer that compresses a stream to gzip (RFC 1952) on several threads.
///
/// A gzip file is a sequence of members, which readers concatenate. The writer splits the stream into chunks of a fixed
/// size, and each chunk becomes a member without name and time. The bytes therefore do not depend on the number of
/// threads.
struct GzipWriter {
    /// The size of a chunk in bytes. Another size would change the bytes of every archive. Larger chunks reduce
    /// parallelism, smaller chunks reduce compression.
    static let chunkSize = 2 << 20

    private let level: Int32
    private let threads: Int
    private let sink: ([UInt8]) throws(ArchiveError) -> Void
    private var pending: [UInt8] = []

    init(level: Int, threads: Int, sink: @escaping ([UInt8]) throws(ArchiveError) -> Void) {
        self.level = Int32(level)
        self.threads = max(1, threads)
        self.sink = sink
        pending.reserveCapacity(batchSize)
    }

    private var batchSize: Int { Self.chunkSize * threads * 2 }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = bytes
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(batchSize - pending.count))
            pending.append(contentsOf: part)
            rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
            if pending.count == batchSize { try flush() }
        }
    }

    mutating func finish() throws(ArchiveError) {
        if !pending.isEmpty { try flush() }
    }

    private mutating func flush() throws(ArchiveError) {
        let batch = pending
        let chunks = (batch.count + Self.chunkSize - 1) / Self.chunkSize
        let level = level
        let members = concurrentMap(chunks, threads: min(threads, chunks)) { index in
            let start = index * Self.chunkSize
            return Self.member(batch[start..<min(start + Self.chunkSize, batch.count)], level: level)
        }
        pending.removeAll(keepingCapacity: true)
        for member in members { try sink(member) }
    }

    private static func member(_ chunk: ArraySlice<UInt8>, level: Int32) -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else {
            preconditionFailure("no memory for a compressor, or level \(level) is not one of 0...12")
        }
        defer { libdeflate_free_compressor(compressor) }
        return chunk.withUnsafeBytes { input in
            let bound = libdeflate_gzip_compress_bound(compressor, input.count)
            return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                count = libdeflate_gzip_compress(compressor, input.baseAddress, input.count, output.baseAddress, bound)
            }
        }
    }
}

/// Returns bytes in the format of gzip, without a name and a time.
package func gzip(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
    var packed: [UInt8] = []
    var writer = GzipWriter(level: 9, threads: availableProcessors) { packed += $0 }
    try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in
        try writer.write(UnsafeRawBufferPointer(buffer))
    }
    try writer.finish()
    return packed
}

/// A decompressor for gzip files of any number of members, in memory.
enum GzipReader {
    /// The assumed ratio of the decompressed to the compressed size. Archives of debug builds have about 7.
    private static let usualRatio = 8

    /// Returns the decompressed bytes. Throws an error if there are more than `limit` bytes or a checksum is wrong.
    ///
    /// The size is not known in advance, so the buffer is doubled until all members fit.
    static func decompress(_ packed: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .tooLarge("the decompressor") }
        defer { libdeflate_free_decompressor(decompressor) }
        let limit = max(limit, 1)
        var capacity = min(max(GzipWriter.chunkSize, packed.count * usualRatio), limit)
        while true {
            let (plain, result) = members(packed, capacity: capacity, decompressor)
            if result == LIBDEFLATE_SUCCESS { return plain }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { throw .damaged("not a complete gzip file") }
            guard capacity < limit else { throw .tooLarge("the unpacked archive") }
            capacity = min(capacity * 2, limit)
        }
    }

    /// Decompresses all members into one buffer.
    private static func members(
        _ packed: [UInt8], capacity: Int, _ decompressor: OpaquePointer
    ) -> (plain: [UInt8], result: libdeflate_result) {
        var result = LIBDEFLATE_SUCCESS
        let plain = packed.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                var rest = input[...]
                repeat {
                    let from = UnsafeRawBufferPointer(rebasing: rest)
                    var (used, size) = (0, 0)
                    result = libdeflate_gzip_decompress_ex(
                        decompressor, from.baseAddress, from.count, output.baseAddress.map { $0 + count },
                        output.count - count, &used, &size)
                    guard result == LIBDEFLATE_SUCCESS else { return }
                    rest = rest.dropFirst(used)
                    count += size
                } while !rest.isEmpty
            }
        }
        return (plain, result)
    }
}
