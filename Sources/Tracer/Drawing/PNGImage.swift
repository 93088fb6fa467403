/// A picture in PNG form, to be shown in a display list. The library passes it on and looks at its header only.
public struct PNGImage: Sendable, Hashable {
    /// The whole file.
    public let data: [UInt8]
    /// In pixels, 1...``largestSide``.
    public let width: Int
    /// In pixels, 1...``largestSide``.
    public let height: Int

    /// No side is longer, in pixels.
    public static let largestSide = 16_384

    /// Nil for what does not begin as a PNG file does, and for sides that are not within 1...``largestSide``.
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

    /// Where it goes when it is shown as large as fits into a frame, centred, its proportions kept.
    public func aspectFit(into frame: Rect) -> Rect {
        let size = Size(Double(width), Double(height))
        let fit = Transform.aspectFit(Rect(origin: .zero, size: size), into: frame)
        return Rect(origin: fit.apply(to: .zero), size: Size(size.width * fit.scale, size.height * fit.scale))
    }

    /// A name for pictures of this content and size, for documents that show it several times.
    func identifier(_ size: Size) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        add(data)
        add("\(Decimal3(size.width).text) \(Decimal3(size.height).text)".utf8)
        return "image-" + String(hash, radix: 36)
    }

    /// The file as an address that holds it.
    var dataURL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = Array("data:image/png;base64,".utf8)
        text.reserveCapacity(text.count + (data.count + 2) / 3 * 4)
        for start in stride(from: 0, to: data.count, by: 3) {
            let bytes = data[start..<min(start + 3, data.count)]
            var bits = bytes.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - bytes.count)
            for place in 0..<4 {
                text.append(place <= bytes.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
