import Text

/// The shared libraries that a program needs, from the dynamic section of its ELF file (64 bits, little-endian).
struct SharedLibraries: Equatable {
    /// The names, such as `libc.so.6`.
    private(set) var names: [String] = []
    /// The names in the string table that start with `GLIBC_`, which are versions of symbols of the C library.
    private(set) var symbolVersions: [String] = []

    /// Reads a program. A program without a dynamic section needs no libraries.
    init(of program: [UInt8]) {
        let file = ELFFile(bytes: program)
        var needed: [Int] = []
        var table: Int?
        var size = 0
        for (tag, value) in file.dynamicSection {
            switch tag {
            case 1: needed.append(value)
            case 5: table = file.offset(of: value)
            case 10: size = value
            default: break
            }
        }
        guard let table, size > 0, program.count - size >= table else { return }
        let strings = program[table..<table + size]
        names = needed.map { offset in
            String(decoding: strings.dropFirst(offset).prefix { $0 != 0 }, as: UTF8.self)
        }
        symbolVersions = strings.split(separator: 0).filter { $0.starts(with: "GLIBC_".utf8) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The program headers of an ELF file.
private struct ELFFile {
    let bytes: [UInt8]

    private var headers: [Int] {
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let start = integer(at: 32, size: 8),
            let size = integer(at: 54, size: 2), let count = integer(at: 56, size: 2)
        else { return [] }
        return (0..<count).map { start + $0 * size }
    }

    /// The tags of the dynamic section with their values.
    var dynamicSection: [(tag: Int, value: Int)] {
        guard let header = headers.first(where: { integer(at: $0, size: 4) == 2 }),
            let start = integer(at: header + 8, size: 8), let size = integer(at: header + 32, size: 8)
        else { return [] }
        return stride(from: start, to: start + size, by: 16).compactMap { entry in
            guard let tag = integer(at: entry, size: 8), let value = integer(at: entry + 8, size: 8) else { return nil }
            return (tag, value)
        }
    }

    /// Returns the offset in the file for an address in memory.
    func offset(of address: Int) -> Int? {
        for header in headers where integer(at: header, size: 4) == 1 {
            guard let offset = integer(at: header + 8, size: 8), let start = integer(at: header + 16, size: 8),
                let size = integer(at: header + 32, size: 8), start <= address, address - start < size
            else { continue }
            return offset + address - start
        }
        return nil
    }

    /// Returns an unsigned number, or `nil` if it is outside the file or too large.
    private func integer(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let value = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value).flatMap { $0 < 1 << 48 ? $0 : nil }
    }
}
