import CDeflate
import TestSupport

/// An independent reader of PNG files with 8 bits per channel, with or without alpha, not interlaced.
struct PNGReader {
    let width: Int
    let height: Int
    /// Red, green, blue and alpha of each pixel.
    private(set) var pixels: [UInt8] = []

    init(_ bytes: [UInt8]) throws {
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            throw Mismatch(description: "no PNG signature")
        }
        width = number(16)
        height = number(20)
        guard bytes[24] == 8, bytes[25] == 2 || bytes[25] == 6, bytes[28] == 0 else {
            throw Mismatch(description: "an unexpected kind of PNG")
        }
        let channels = bytes[25] == 2 ? 3 : 4
        var data: [UInt8] = []
        var offset = 8
        while offset < bytes.count {
            let length = number(offset)
            let body = bytes[offset + 4..<offset + 8 + length]
            let crc = body.withUnsafeBufferPointer { libdeflate_crc32(0, $0.baseAddress, $0.count) }
            guard Int(crc) == number(offset + 8 + length) else { throw Mismatch(description: "a wrong checksum") }
            if body.prefix(4).elementsEqual("IDAT".utf8) { data += body.dropFirst(4) }
            offset += 12 + length
        }
        let rows = try Self.inflate(data, count: (width * channels + 1) * height)
        unfilter(rows, channels)
    }

    private static func inflate(_ data: [UInt8], count: Int) throws -> [UInt8] {
        let decompressor = libdeflate_alloc_decompressor()
        defer { libdeflate_free_decompressor(decompressor) }
        var rows = [UInt8](repeating: 0, count: count)
        let result = libdeflate_zlib_decompress(decompressor, data, data.count, &rows, count, nil)
        guard result == LIBDEFLATE_SUCCESS else { throw Mismatch(description: "the image data do not decompress") }
        return rows
    }

    private mutating func unfilter(_ rows: [UInt8], _ channels: Int) {
        let stride = width * channels
        var above = [UInt8](repeating: 0, count: stride)
        for row in 0..<height {
            let filter = rows[row * (stride + 1)]
            var line = Array(rows[row * (stride + 1) + 1..<(row + 1) * (stride + 1)])
            for index in line.indices {
                let left = index >= channels ? Int(line[index - channels]) : 0
                let up = Int(above[index])
                let corner = index >= channels ? Int(above[index - channels]) : 0
                let guess =
                    switch filter {
                    case 1: left
                    case 2: up
                    case 3: (left + up) / 2
                    case 4: Self.paeth(left, up, corner)
                    default: 0
                    }
                line[index] &+= UInt8(guess)
            }
            above = line
            for column in 0..<width {
                let pixel = line[column * channels..<(column + 1) * channels]
                pixels += channels == 3 ? pixel + [255] : pixel + []
            }
        }
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }
}
