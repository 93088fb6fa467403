/// A reader of tar archives: ustar with pax extended headers or GNU long names.
struct TarReader {
    /// A field of a header block.
    private struct Field {
        static let name = Field(offset: 0, size: 100)
        static let mode = Field(offset: 100, size: 8)
        static let length = Field(offset: 124, size: 12)
        static let checksum = Field(offset: 148, size: 8)
        static let link = Field(offset: 157, size: 100)
        static let magic = Field(offset: 257, size: 5)
        static let prefix = Field(offset: 345, size: 155)

        /// The offset of the byte for the kind of the member.
        static let kind = 156

        /// The offset in the block, in bytes.
        let offset: Int
        let size: Int
    }

    struct Member: Equatable {
        enum Kind: Equatable {
            case file
            case directory
            case link(String)
            /// A hard link to an earlier file.
            case hardLink(String)
        }

        /// The path in the archive, without a trailing slash.
        let path: String
        let kind: Kind
        let mode: UInt32
        /// The range of the content in the bytes of the archive.
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var longPath: String?
    private var longLink: String?
    private var longSize: Int?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func members(of bytes: [UInt8]) throws(ArchiveError) -> [Member] {
        var reader = TarReader(bytes)
        var members: [Member] = []
        while let member = try reader.next() { members.append(member) }
        // Some programs read on after the end.
        guard bytes[reader.offset...].allSatisfy({ $0 == 0 }) else {
            throw .damaged("data after the end of the archive")
        }
        return members
    }

    private mutating func next() throws(ArchiveError) -> Member? {
        while true {
            guard offset + TarHeader.blockSize <= bytes.count else { throw .damaged("no end-of-archive entry") }
            let header = bytes[offset..<(offset + TarHeader.blockSize)]
            if header.allSatisfy({ $0 == 0 }) { return nil }
            try check(header)
            let ownSize = try number(.length)
            let size = longSize ?? ownSize
            let start = offset + TarHeader.blockSize
            guard size >= 0, size <= bytes.count - start else { throw .damaged("unexpected end of an entry") }
            let range = start..<(start + size)
            let kind = bytes[offset + Field.kind]
            let member = try member(kind, range)
            offset = start + (size + TarHeader.blockSize - 1) / TarHeader.blockSize * TarHeader.blockSize
            if let member {
                (longPath, longLink, longSize) = (nil, nil, nil)
                return member
            }
        }
    }

    /// Returns the member of the header at `offset`, or `nil` for an extended header, which applies to the next member.
    private mutating func member(_ kind: UInt8, _ range: Range<Int>) throws(ArchiveError) -> Member? {
        let memberKind: Member.Kind
        switch kind {
        case UInt8(ascii: "x"):
            try readRecords(range)
            return nil
        // Global records, such as the comment of `git archive`, describe no member.
        case UInt8(ascii: "g"): return nil
        case UInt8(ascii: "L"):
            longPath = text(range)
            return nil
        case UInt8(ascii: "K"):
            longLink = text(range)
            return nil
        case UInt8(ascii: "0"), 0, UInt8(ascii: "7"): memberKind = .file
        case UInt8(ascii: "5"): memberKind = .directory
        case UInt8(ascii: "2"): memberKind = .link(longLink ?? text(.link))
        case UInt8(ascii: "1"): memberKind = .hardLink(longLink ?? text(.link))
        default: throw .unsupportedKind(path)
        }
        return Member(
            path: path.hasSuffix("/") ? String(path.dropLast()) : path, kind: memberKind,
            mode: UInt32(truncatingIfNeeded: try number(.mode)) & 0o777, range: range)
    }

    private var path: String {
        if let longPath { return longPath }
        let prefix = text(.magic) == "ustar" ? text(.prefix) : ""
        return prefix.isEmpty ? text(.name) : "\(prefix)/\(text(.name))"
    }

    /// Throws an error if the checksum is wrong: the sum of all bytes, where its own field counts as spaces.
    private func check(_ header: ArraySlice<UInt8>) throws(ArchiveError) {
        let field = Field.checksum.offset..<(Field.checksum.offset + Field.checksum.size)
        var sum = 0
        for (index, byte) in header.enumerated() { sum += field.contains(index) ? 0x20 : Int(byte) }
        guard try number(.checksum) == sum else { throw .damaged("wrong header checksum") }
    }

    /// Reads the records of an extended header. A record is its length in decimal digits, a space, `name=value` and a line
    /// feed.
    private mutating func readRecords(_ range: Range<Int>) throws(ArchiveError) {
        var start = range.lowerBound
        while start < range.upperBound {
            guard let space = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: " ")),
                let length = Int(text(start..<space)), length > space - start, length <= range.upperBound - start,
                let equals = bytes[space..<(start + length - 1)].firstIndex(of: UInt8(ascii: "="))
            else { throw .damaged("invalid extended header") }
            let value = text((equals + 1)..<(start + length - 1))
            switch text((space + 1)..<equals) {
            case "path": longPath = value
            case "linkpath": longLink = value
            case "size": longSize = Int(value)
            default: break
            }
            start += length
        }
    }

    private func text(_ field: Field) -> String {
        text((offset + field.offset)..<(offset + field.offset + field.size))
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the value of a field with octal digits, or 0 for an empty field.
    private func number(_ field: Field) throws(ArchiveError) -> Int {
        let digits = text(field).drop { $0 == " " }.prefix { $0 != " " }
        if digits.isEmpty { return 0 }
        guard let value = Int(digits, radix: 8), value >= 0 else { throw .damaged("invalid number in a header") }
        return value
    }
}
