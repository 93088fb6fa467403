import CDeflate

/// Returns the bytes compressed as a zlib stream (RFC 1950).
package func zlibCompressed(_ bytes: [UInt8]) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(9) else {
        preconditionFailure("libdeflate has no memory for a compressor")
    }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
        count = libdeflate_zlib_compress(compressor, bytes, bytes.count, buffer.baseAddress, bound)
    }
}
