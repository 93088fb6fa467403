import CDeflate

/// A decompressor for gzip files of any number of members, in memory.
enum GzipReader {
    /// Returns the decompressed bytes. Throws an error if there are more than `limit` bytes or a checksum is wrong.
    static func decompress(_ packed: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .tooLarge("the decompressor") }
        defer { libdeflate_free_decompressor(decompressor) }
        var plain: [UInt8] = []
        var offset = 0
        repeat {
            let (member, used) = try member(packed[offset...], limit: limit - plain.count, decompressor)
            plain += member
            offset += used
        } while offset < packed.count
        return plain
    }

    /// Decompresses a member. Its size is not known in advance, so the buffer is doubled until the member fits.
    private static func member(
        _ packed: ArraySlice<UInt8>, limit: Int, _ decompressor: OpaquePointer
    ) throws(ArchiveError) -> (plain: [UInt8], used: Int) {
        var capacity = min(max(GzipWriter.chunkSize, packed.count), max(limit, 1))
        while true {
            var used = 0
            var result = LIBDEFLATE_BAD_DATA
            let plain = packed.withUnsafeBytes { input in
                [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                    result = libdeflate_gzip_decompress_ex(
                        decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &used, &count)
                    if result != LIBDEFLATE_SUCCESS { count = 0 }
                }
            }
            if result == LIBDEFLATE_SUCCESS { return (plain, used) }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { throw .damaged("not a complete gzip file") }
            guard capacity < limit else { throw .tooLarge("the unpacked archive") }
            capacity = min(capacity * 2, limit)
        }
    }
}
