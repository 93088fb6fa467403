import CDeflate
import OperatingSystem
import Text

extension ArchiveContents {
    /// Writes a reproducible `.zip` (APPNOTE 6.3). Its bytes depend only on the entries, `modified`, `level` and the
    /// version of libdeflate.
    ///
    /// Times are in UTC with a precision of two seconds, from 1980 to 2107. Throws an error for a file or archive of 4
    /// GiB or more.
    package func writeZip(to path: String, modified: Int64, level: Int = 9) throws(ArchiveError) -> WrittenFile {
        let file = try HashedOutputFile(path)
        var directory: [UInt8] = []
        var offset = 0
        let time = dosTime(modified)
        for entry in entries {
            let member = try ZipMember(entry, time: time, level: level)
            guard offset + member.local.count + member.data.count < ZipMember.limit else { throw .tooLarge(path) }
            directory += member.central(offset: offset)
            try file.write(member.local)
            try file.write(member.data)
            offset += member.local.count + member.data.count
        }
        guard entries.count < 0xFFFF, offset + directory.count < ZipMember.limit else { throw .tooLarge(path) }
        try file.write(directory)
        var end = LittleEndian()
        end.add(UInt32(0x0605_4B50))
        end.add(UInt32(0))
        end.add(UInt16(entries.count))
        end.add(UInt16(entries.count))
        end.add(UInt32(directory.count))
        end.add(UInt32(offset))
        end.add(UInt16(0))
        try file.write(end.bytes)
        return try file.finish()
    }
}

/// A member of a zip file: local header, data, and entry in the central directory.
private struct ZipMember {
    static let limit = 0xFFFF_FFFF

    let data: [UInt8]
    private let name: [UInt8]
    private let shared: [UInt8]
    private let attributes: UInt32

    init(_ entry: ArchiveEntry, time: UInt32, level: Int) throws(ArchiveError) {
        let plain: [UInt8]
        let kind: UInt32
        switch entry.content {
        case .directory: (plain, kind) = ([], 0o040000)
        case .bytes(let bytes, _): (plain, kind) = (bytes, 0o100000)
        case .file(let source, _):
            (plain, kind) = (
                try convertingFileErrors(to: ArchiveError.self, of: readFile(source)),
                0o100000
            )
        case .link(let target): (plain, kind) = (Array(target.utf8), 0o120000)
        }
        guard plain.count < Self.limit else { throw .tooLarge(entry.path) }
        name = Array((kind == 0o040000 ? entry.path + "/" : entry.path).utf8)
        guard name.count <= 0xFFFF else { throw .tooLarge(entry.path) }
        // The upper half is the Unix mode; bit 4 of the lower half is the DOS directory attribute.
        attributes = (kind | entry.mode) << 16 | (kind == 0o040000 ? 0x10 : 0)
        let packed = deflated(plain, level: level)
        data = packed ?? plain

        var fields = LittleEndian()
        fields.add(UInt16(20))
        fields.add(UInt16(1 << 11))
        fields.add(UInt16(packed == nil ? 0 : 8))
        fields.add(time)
        fields.add(plain.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) })
        fields.add(UInt32(data.count))
        fields.add(UInt32(plain.count))
        fields.add(UInt16(name.count))
        fields.add(UInt16(0))
        shared = fields.bytes
    }

    var local: [UInt8] {
        var header = LittleEndian()
        header.add(UInt32(0x0403_4B50))
        return header.bytes + shared + name
    }

    func central(offset: Int) -> [UInt8] {
        var header = LittleEndian()
        header.add(UInt32(0x0201_4B50))
        header.add(UInt16(3 << 8 | 20))
        var rest = LittleEndian()
        rest.add(UInt16(0))
        rest.add(UInt16(0))
        rest.add(UInt16(0))
        rest.add(attributes)
        rest.add(UInt32(offset))
        return header.bytes + shared + rest.bytes + name
    }
}

/// Returns the bytes in raw deflate format, or `nil` if these are not smaller.
private func deflated(_ plain: [UInt8], level: Int) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(Int32(level)) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    let packed = plain.withUnsafeBytes { input in
        [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
            count = libdeflate_deflate_compress(
                compressor, input.baseAddress, input.count, output.baseAddress, output.count)
        }
    }
    return packed.isEmpty ? nil : packed
}

/// Returns a time in DOS format: the date in the upper and the time in the lower 16 bits. Clamps the time to the years
/// 1980 to 2107.
private func dosTime(_ seconds: Int64) -> UInt32 {
    let seconds = min(max(seconds, 315_532_800), 4_354_819_198)
    let instant = Instant(secondsSince1970: seconds)
    let time = UInt32(instant.hour) << 11 | UInt32(instant.minute) << 5 | UInt32(instant.second / 2)
    let day = UInt32(instant.date.year - 1980) << 9 | UInt32(instant.date.month) << 5 | UInt32(instant.date.day)
    return day << 16 | time
}

private struct LittleEndian {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
