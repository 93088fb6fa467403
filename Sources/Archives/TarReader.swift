/// A reader of tar archives: ustar with pax extended headers or GNU long names.
struct TarReader {
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
        let modified: Int64
        let owner: Int
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
        return members
    }

    private mutating func next() throws(ArchiveError) -> Member? {
        while true {
            guard offset + TarHeader.blockSize <= bytes.count else { throw .damaged("no end-of-archive entry") }
            let header = bytes[offset..<(offset + TarHeader.blockSize)]
            if header.allSatisfy({ $0 == 0 }) { return nil }
            try check(header)
            let ownSize = try number(124, 12)
            let size = longSize ?? ownSize
            let start = offset + TarHeader.blockSize
            guard size >= 0, size <= bytes.count - start else { throw .damaged("unexpected end of an entry") }
            let range = start..<(start + size)
            let kind = bytes[offset + 156]
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
        case UInt8(ascii: "x"), UInt8(ascii: "g"):
            try readRecords(range)
            return nil
        case UInt8(ascii: "L"):
            longPath = text(range)
            return nil
        case UInt8(ascii: "K"):
            longLink = text(range)
            return nil
        case UInt8(ascii: "0"), 0, UInt8(ascii: "7"): memberKind = .file
        case UInt8(ascii: "5"): memberKind = .directory
        case UInt8(ascii: "2"): memberKind = .link(longLink ?? field(157, 100))
        case UInt8(ascii: "1"): memberKind = .hardLink(longLink ?? field(157, 100))
        default: throw .unsupportedKind(path)
        }
        return Member(
            path: path.hasSuffix("/") ? String(path.dropLast()) : path, kind: memberKind,
            mode: UInt32(truncatingIfNeeded: try number(100, 8)) & 0o777, modified: Int64(try number(136, 12)),
            owner: try number(108, 8), range: range)
    }

    private var path: String {
        if let longPath { return longPath }
        let prefix = field(257, 5) == "ustar" ? field(345, 155) : ""
        return prefix.isEmpty ? field(0, 100) : "\(prefix)/\(field(0, 100))"
    }

    private func check(_ header: ArraySlice<UInt8>) throws(ArchiveError) {
        var sum = 0
        for (index, byte) in header.enumerated() { sum += (148..<156).contains(index) ? 0x20 : Int(byte) }
        guard try number(148, 8) == sum else { throw .damaged("wrong header checksum") }
    }

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

    private func field(_ start: Int, _ length: Int) -> String {
        text((offset + start)..<(offset + start + length))
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
    }

    private func number(_ start: Int, _ length: Int) throws(ArchiveError) -> Int {
        let digits = field(start, length).drop { $0 == " " }.prefix { $0 != " " }
        if digits.isEmpty { return 0 }
        guard let value = Int(digits, radix: 8), value >= 0 else { throw .damaged("invalid number in a header") }
        return value
    }
}
