import CDeflate
package import Tracer

/// An encoder and decoder for Portable Network Graphics (ISO/IEC 15948).
package enum PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns the canvas as a PNG file in truecolor, with an alpha channel if a pixel is not opaque.
    package static func encode(_ canvas: Canvas) -> [UInt8] {
        let isOpaque = stride(from: 3, to: canvas.pixels.count, by: 4).allSatisfy { canvas.pixels[$0] == 255 }
        var header = bigEndian(canvas.width) + bigEndian(canvas.height)
        // 8 bits per channel, color type 2 or 6, the only defined compression and filter methods, not interlaced.
        header += [8, isOpaque ? 2 : 6, 0, 0, 0]
        return signature + chunk("IHDR", header) + chunk("IDAT", zlibCompressed(scanlines(canvas, isOpaque: isOpaque)))
            + chunk("IEND", [])
    }

    /// Returns the picture as a small PNG file.
    ///
    /// - Parameter side: The length of the longer side in pixels, at least 1.
    package static func thumbnail(_ list: DisplayList, side: Int = 128) throws(Canvas.TooLarge) -> [UInt8] {
        let longest = max(list.size.width, list.size.height)
        return encode(try Canvas(list, scale: longest > 0 && longest.isFinite ? Double(max(side, 1)) / longest : 1))
    }

    /// Returns the rows with the filter "Up", because most rows of a drawing are similar to the row above.
    private static func scanlines(_ canvas: Canvas, isOpaque: Bool) -> [UInt8] {
        let channels = isOpaque ? 3 : 4
        var bytes: [UInt8] = []
        bytes.reserveCapacity((canvas.width * channels + 1) * canvas.height)
        var above = [UInt8](repeating: 0, count: canvas.width * channels)
        for row in 0..<canvas.height {
            bytes.append(2)
            for column in 0..<canvas.width {
                let base = (row * canvas.width + column) * 4
                let alpha = Int(canvas.pixels[base + 3])
                for channel in 0..<channels {
                    let stored = Int(canvas.pixels[base + channel])
                    // PNG requires colors without premultiplied alpha.
                    let value =
                        channel == 3 || alpha == 255 || alpha == 0
                        ? stored : min(255, (stored * 255 + alpha / 2) / alpha)
                    let index = column * channels + channel
                    bytes.append(UInt8(value) &- above[index])
                    above[index] = UInt8(value)
                }
            }
        }
        return bytes
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(libdeflate_crc32(0, body, body.count)))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
