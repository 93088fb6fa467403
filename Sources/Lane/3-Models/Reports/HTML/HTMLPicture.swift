import Text

/// The pictures that browsers show.
enum HTMLPicture {
    /// Returns the media type of a picture by its first bytes, or `nil` for other files. A vector picture can contain
    /// scripts, which a browser ignores in an `img` element.
    static func type(of bytes: [UInt8]) -> String? {
        func starts(_ start: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: start) }
        if starts([0x89] + Array("PNG\r\n".utf8)) { return "image/png" }
        if starts([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if starts(Array("GIF8".utf8)) { return "image/gif" }
        if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return "image/webp" }
        if starts(Array("<svg".utf8)) || starts(Array("<?xml".utf8)) && bytes.firstOffset(of: "<svg") != nil {
            return "image/svg+xml"
        }
        return nil
    }
}
