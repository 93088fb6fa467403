/// An archive in the format of `ar` (`man 5 deb`), whose members have the mode 0644 and no owner.
package enum ArArchive {
    package static func bytes(of members: [(name: String, content: [UInt8])], modified: Int64) -> [UInt8] {
        var bytes = Array("!<arch>\n".utf8)
        for member in members {
            let fields = [
                (member.name, 16), (String(max(0, modified)), 12), ("0", 6), ("0", 6), ("100644", 8),
                (String(member.content.count), 10),
            ]
            for (text, width) in fields {
                bytes += Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: width - text.utf8.count)
            }
            bytes += Array("`\n".utf8) + member.content
            if member.content.count % 2 == 1 { bytes.append(UInt8(ascii: "\n")) }
        }
        return bytes
    }

    /// Returns the content of a member, or `nil` if the archive has no such member.
    static func member(_ name: String, of bytes: [UInt8]) -> [UInt8]? {
        var offset = 8
        while offset + 60 <= bytes.count {
            func field(_ range: Range<Int>) -> String {
                String(
                    decoding: bytes[offset...][(offset + range.lowerBound)..<(offset + range.upperBound)], as: UTF8.self
                )
                .split(separator: " ").first.map(String.init) ?? ""
            }
            let start = offset + 60
            guard let size = Int(field(48..<58)), size >= 0, size <= bytes.count - start else { return nil }
            if field(0..<16) == name { return Array(bytes[start..<(start + size)]) }
            offset = start + size + size % 2
        }
        return nil
    }
}
