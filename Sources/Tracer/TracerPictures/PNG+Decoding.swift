import CDeflate
package import Tracer

/// An error in a PNG file.
package struct PNGFailure: Error, Equatable, CustomStringConvertible {
    /// The message, in lowercase.
    package let description: String
}

extension PNG {
    /// Decodes a PNG file of any color type and bit depth that isn't interlaced.
    package static func decode(_ image: PNGImage) throws(PNGFailure) -> PixelImage {
        var decoder = PNGDecoder(image)
        return try decoder.pixels()
    }
}

/// A decoder of a file, according to ISO/IEC 15948.
private struct PNGDecoder {
    private let image: PNGImage
    private let depth: Int
    private let kind: UInt8
    private var palette: [UInt8] = []
    private var transparency: [UInt8] = []
    private var compressed: [UInt8] = []

    init(_ image: PNGImage) {
        self.image = image
        depth = Int(image.data[24])
        kind = image.data[25]
    }

    private var channels: Int {
        switch kind {
        case 0, 3: 1
        case 2: 3
        case 4: 2
        default: 4
        }
    }

    mutating func pixels() throws(PNGFailure) -> PixelImage {
        let depths: [UInt8: [Int]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard depths[kind]?.contains(depth) == true else {
            throw PNGFailure(description: "unknown color type or bit depth")
        }
        guard image.width * image.height <= 1 << 26 else {
            throw PNGFailure(description: "larger than 64 megapixels")
        }
        guard image.data[28] == 0 else { throw PNGFailure(description: "interlaced images are not supported") }
        try readChunks()
        let rowBytes = (image.width * channels * depth + 7) / 8
        let lines = try unfiltered(try inflated((rowBytes + 1) * image.height), rowBytes)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(image.width * image.height * 4)
        for row in 0..<image.height {
            for column in 0..<image.width { append(lines, row * rowBytes, column, to: &pixels) }
        }
        return PixelImage(width: image.width, height: image.height, pixels: pixels)
    }

    private mutating func readChunks() throws(PNGFailure) {
        let data = image.data
        var offset = 8
        while offset + 12 <= data.count {
            let length = data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= data.count - offset - 12 else { break }
            let body = data[offset + 8..<offset + 8 + length]
            switch String(decoding: data[offset + 4..<offset + 8], as: UTF8.self) {
            case "PLTE": palette = Array(body)
            case "tRNS": transparency = Array(body)
            case "IDAT": compressed += body
            case "IEND":
                guard kind != 3 || palette.count >= 3 else { throw PNGFailure(description: "missing palette") }
                return
            default: break
            }
            offset += 12 + length
        }
        throw PNGFailure(description: "unexpected end of file")
    }

    private func inflated(_ count: Int) throws(PNGFailure) -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else {
            preconditionFailure("libdeflate has no memory for a decompressor")
        }
        defer { libdeflate_free_decompressor(decompressor) }
        var written = 0
        var bytes = [UInt8](repeating: 0, count: count)
        let result = libdeflate_zlib_decompress(decompressor, compressed, compressed.count, &bytes, count, &written)
        guard result == LIBDEFLATE_SUCCESS, written == count else {
            throw PNGFailure(description: "invalid pixel data")
        }
        return bytes
    }

    /// Returns the rows with their filters reversed, and without filter bytes.
    private func unfiltered(_ bytes: [UInt8], _ rowBytes: Int) throws(PNGFailure) -> [UInt8] {
        let step = max(1, channels * depth / 8)
        var lines = [UInt8](repeating: 0, count: rowBytes * image.height)
        for row in 0..<image.height {
            let filter = bytes[row * (rowBytes + 1)]
            guard filter <= 4 else { throw PNGFailure(description: "invalid pixel data") }
            for index in 0..<rowBytes {
                let offset = row * rowBytes + index
                let left = index >= step ? lines[offset - step] : 0
                let up = row > 0 ? lines[offset - rowBytes] : 0
                let corner = row > 0 && index >= step ? lines[offset - rowBytes - step] : 0
                let guess: UInt8 =
                    switch filter {
                    case 1: left
                    case 2: up
                    case 3: UInt8((Int(left) + Int(up)) / 2)
                    case 4: Self.paeth(Int(left), Int(up), Int(corner))
                    default: 0
                    }
                lines[offset] = bytes[row * (rowBytes + 1) + 1 + index] &+ guess
            }
        }
        return lines
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> UInt8 {
        let sum = left + up - corner
        let (a, b, c) = (abs(sum - left), abs(sum - up), abs(sum - corner))
        return UInt8(a <= b && a <= c ? left : b <= c ? up : corner)
    }

    private func append(_ lines: [UInt8], _ start: Int, _ column: Int, to pixels: inout [UInt8]) {
        func sample(_ channel: Int) -> Int {
            let index = column * channels + channel
            switch depth {
            case 8: return Int(lines[start + index])
            case 16: return Int(lines[start + 2 * index]) << 8 | Int(lines[start + 2 * index + 1])
            default:
                let bit = index * depth
                return Int(lines[start + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
            }
        }
        let most = 1 << depth - 1
        func byte(_ sample: Int) -> Int { sample * 255 / most }
        /// Returns a Boolean value that indicates whether the color is the transparent one of the file.
        func isClear(_ samples: [Int]) -> Bool {
            transparency.count >= 2 * samples.count
                && samples.indices.allSatisfy {
                    Int(transparency[2 * $0]) << 8 | Int(transparency[2 * $0 + 1]) == samples[$0]
                }
        }
        var color: (Int, Int, Int, Int)
        switch kind {
        case 0, 4:
            let gray = byte(sample(0))
            color = (gray, gray, gray, kind == 4 ? byte(sample(1)) : isClear([sample(0)]) ? 0 : 255)
        case 3:
            let number = min(sample(0), palette.count / 3 - 1)
            let alpha = number < transparency.count ? Int(transparency[number]) : 255
            color = (Int(palette[3 * number]), Int(palette[3 * number + 1]), Int(palette[3 * number + 2]), alpha)
        default:
            let samples = [sample(0), sample(1), sample(2)]
            let alpha = kind == 6 ? byte(sample(3)) : isClear(samples) ? 0 : 255
            color = (byte(samples[0]), byte(samples[1]), byte(samples[2]), alpha)
        }
        func faded(_ value: Int) -> UInt8 { UInt8((value * color.3 + 127) / 255) }
        pixels += [faded(color.0), faded(color.1), faded(color.2), UInt8(color.3)]
    }
}
