import CDeflate

/// Creates PNG files of types that our encoder doesn't write.
extension PNGReader {
    static func file(_ chunks: [(type: String, body: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in chunks {
            let body = Array(chunk.type.utf8) + chunk.body
            bytes += bigEndian(chunk.body.count) + body + bigEndian(Int(libdeflate_crc32(0, body, body.count)))
        }
        return bytes
    }

    /// Returns rows with their filter bytes, compressed.
    static func stored(_ rows: [UInt8]) -> [UInt8] {
        let compressor = libdeflate_alloc_compressor(1)
        defer { libdeflate_free_compressor(compressor) }
        var bytes = [UInt8](repeating: 0, count: 100 + rows.count)
        let count = libdeflate_zlib_compress(compressor, rows, rows.count, &bytes, bytes.count)
        return Array(bytes[..<count])
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
