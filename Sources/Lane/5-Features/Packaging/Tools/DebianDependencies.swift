import OperatingSystem
import SwiftPackages
import Text

/// The Debian packages with the shared libraries that programs need.
struct DebianDependencies {
    let tools: ToolRunner

    /// The libraries of the package `libc6`.
    private static let libc: Set<String> = [
        "ld-linux-aarch64.so.1", "ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0",
        "libresolv.so.2", "librt.so.1", "libutil.so.1",
    ]

    /// Returns the packages with their lowest versions, such as `libc6 (>= 2.34)`.
    func packages(for programs: [String]) throws(OperationFailure) -> [String] {
        var names: Set<String> = []
        var versions: [String] = []
        for program in programs {
            let bytes = try convertingFileErrors(of: readFile(program))
            let libraries = SharedLibraries(of: bytes)
            names.formUnion(libraries.names)
            versions += libraries.symbolVersions
        }
        var packages = try names.subtracting(Self.libc).sorted().map { (name) throws(OperationFailure) in
            try package(of: name)
        }
        if !names.isDisjoint(with: Self.libc) { packages.append(Self.libcRequirement(versions)) }
        return Array(Set(packages)).sorted()
    }

    /// Returns the requirement for symbols with versions such as `GLIBC_2.34`.
    static func libcRequirement(_ versions: [String]) -> String {
        let numbers = versions.compactMap { version in
            version.hasPrefix("GLIBC_2.") ? Int(version.dropFirst(8).prefix { $0.isNumber }) : nil
        }
        return numbers.max().map { "libc6 (>= 2.\($0))" } ?? "libc6"
    }

    /// Returns the name of the package of a library on this system, or `nil` if there is none.
    func owner(of library: String) -> String? {
        let arguments = ["--search", "*/\(library)"]
        guard let found = try? tools.attempt("dpkg-query", arguments, in: "/"),
            found.report.succeeded
        else { return nil }
        let name = String(decoding: found.output, as: UTF8.self).prefix { $0 != ":" && $0 != "," && $0 != "\n" }
        return name.isEmpty ? nil : String(name)
    }

    /// Returns the package of a library on this system, with its version as the lowest one.
    private func package(of library: String) throws(OperationFailure) -> String {
        guard let name = owner(of: library) else {
            throw .refused(["no Debian package on this system provides '\(library)', which the .deb needs"])
        }
        let version = try tools.text("dpkg-query", ["--show", "--showformat", "${Version}", name], in: "/")
        let upstream = version.lastIndex(of: "-").map { version[..<$0] } ?? version[...]
        return "\(name) (>= \(upstream))"
    }
}

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
