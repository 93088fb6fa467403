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
}
