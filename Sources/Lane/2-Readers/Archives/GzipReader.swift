import CDeflate

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
