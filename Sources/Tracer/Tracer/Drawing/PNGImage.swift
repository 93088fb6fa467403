/// A PNG image for a display list. The library reads only its header.
public struct PNGImage: Sendable, Hashable {
    /// The contents of the PNG file.
    public let data: [UInt8]
    /// The width in pixels, 1...16,384.
    public let width: Int
    /// The height in pixels, 1...16,384.
    public let height: Int

    /// The maximum width and height in pixels.
    package static let largestSide = 16_384

    /// Creates an image from the contents of a file. Returns `nil` if the file doesn't start with a PNG header, or if
    /// the width or height isn't in 1...16,384.
    public init?(_ data: [UInt8]) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard data.count >= 33, data.starts(with: signature), data[12..<16].elementsEqual("IHDR".utf8) else {
            return nil
        }
        func number(_ start: Int) -> Int { data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        width = number(16)
        height = number(20)
        self.data = data
        guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else { return nil }
    }

    /// Returns the rectangle of the image when it is scaled to fit into a frame, centered and with its aspect ratio
    /// preserved.
    package func aspectFit(into frame: TraceRect) -> TraceRect {
        let size = TraceSize(Double(width), Double(height))
        let fit = TraceTransform.aspectFit(TraceRect(origin: .zero, size: size), into: frame)
        return TraceRect(origin: fit.apply(to: .zero), size: TraceSize(size.width * fit.scale, size.height * fit.scale))
    }

    /// Returns an identifier for the image at a given size: its FNV-1a hash. SVG documents use it to define a repeated
    /// image once.
    func identifier(_ size: TraceSize) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        add(data)
        add("\(Decimal3(size.width).text) \(Decimal3(size.height).text)".utf8)
        return "image-" + String(hash, radix: 36)
    }

    /// The contents of the file as a `data:` URL.
    var dataURL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = Array("data:image/png;base64,".utf8)
        text.reserveCapacity(text.count + (data.count + 2) / 3 * 4)
        for start in stride(from: 0, to: data.count, by: 3) {
            let bytes = data[start..<min(start + 3, data.count)]
            var bits = bytes.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - bytes.count)
            for digit in 0..<4 {
                text.append(digit <= bytes.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
