import OperatingSystem

/// A writer of POSIX tar (IEEE Std 1003.1, "pax Interchange Format"). It writes ustar headers, and an extended header
/// only for an entry whose path, link or size does not fit. Owner and group are 0 and have no names.
struct TarWriter {
    private let modified: Int64
    private let sink: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void

    /// Creates a writer that passes the bytes of the archive to `sink`.
    ///
    /// - Parameter modified: The modification time of all entries, in seconds since 1970.
    init(modified: Int64, sink: @escaping (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) {
        self.modified = max(0, modified)
        self.sink = sink
    }

    func write(_ contents: ArchiveContents) throws(ArchiveError) {
        for entry in contents.entries { try write(entry) }
        try put([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
    }

    private func write(_ entry: ArchiveEntry) throws(ArchiveError) {
        switch entry.content {
        case .directory:
            try putHeader(entry, path: entry.path + "/", size: 0, kind: "5")
        case .link(let target):
            try putHeader(entry, path: entry.path, size: 0, kind: "2", link: target)
        case .bytes(let bytes, _):
            try putHeader(entry, path: entry.path, size: bytes.count, kind: "0")
            try put(bytes)
            try pad(after: bytes.count)
        case .file(let source, _):
            let file = try InputFile(source)
            try putHeader(entry, path: entry.path, size: file.size, kind: "0")
            var written = 0
            try file.readAll { (chunk) throws(ArchiveError) in
                written += chunk.count
                guard written <= file.size else { throw .changedWhileRead(source) }
                try sink(chunk)
            }
            guard written == file.size else { throw .changedWhileRead(source) }
            try pad(after: written)
        }
    }

    private func putHeader(
        _ entry: ArchiveEntry, path: String, size: Int, kind: Unicode.Scalar, link: String = ""
    ) throws(ArchiveError) {
        var header = TarHeader(mode: entry.mode, size: size, modified: modified, kind: kind)
        var records: [UInt8] = []
        if !header.setPath(path) { records += TarHeader.record("path", path) }
        if !header.setLink(link) { records += TarHeader.record("linkpath", link) }
        if size > TarHeader.largestSize { records += TarHeader.record("size", String(size)) }
        if !records.isEmpty {
            var extended = TarHeader(mode: 0o644, size: records.count, modified: modified, kind: "x")
            _ = extended.setPath("PaxHeaders/entry")
            try put(extended.block())
            try put(records)
            try pad(after: records.count)
        }
        try put(header.block())
    }

    private func pad(after count: Int) throws(ArchiveError) {
        let rest = count % TarHeader.blockSize
        if rest > 0 { try put([UInt8](repeating: 0, count: TarHeader.blockSize - rest)) }
    }

    private func put(_ bytes: [UInt8]) throws(ArchiveError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in try sink(UnsafeRawBufferPointer(buffer)) }
    }
}

/// A ustar header block: name, mode, owner, group, size, time, checksum, kind, link, magic, names, devices, prefix.
struct TarHeader {
    static let blockSize = 512
    /// The largest size in bytes: eleven octal digits.
    static let largestSize = 0o777_7777_7777

    private var bytes = [UInt8](repeating: 0, count: blockSize)

    init(mode: UInt32, size: Int, modified: Int64, kind: Unicode.Scalar) {
        setOctal(Int(mode), at: 100, digits: 7)
        setOctal(0, at: 108, digits: 7)
        setOctal(0, at: 116, digits: 7)
        setOctal(min(size, Self.largestSize), at: 124, digits: 11)
        setOctal(min(Int(modified), Self.largestSize), at: 136, digits: 11)
        bytes[156] = UInt8(ascii: kind)
        set("ustar\u{0}00".utf8, at: 257)
        setOctal(0, at: 329, digits: 7)
        setOctal(0, at: 337, digits: 7)
    }

    /// Sets the path. Returns `false` if the path does not fit, and then sets its beginning for tools that do not
    /// support extended headers.
    mutating func setPath(_ path: String) -> Bool {
        let path = Array(path.utf8)
        let isPlain = path.allSatisfy { $0 < 0x80 }
        if path.count <= 100 {
            set(path, at: 0)
            return isPlain
        }
        // Readers join prefix and name with a slash, so the prefix ends before one that is not the last byte.
        let slash = path.indices.first { path[$0] == UInt8(ascii: "/") && path.count - $0 - 1 <= 100 }
        guard isPlain, let slash, (1...155).contains(slash), slash < path.count - 1 else {
            set(path.prefix(100), at: 0)
            return false
        }
        set(path[(slash + 1)...], at: 0)
        set(path[..<slash], at: 345)
        return true
    }

    mutating func setLink(_ target: String) -> Bool {
        let target = Array(target.utf8)
        set(target.prefix(100), at: 157)
        return target.count <= 100 && target.allSatisfy { $0 < 0x80 }
    }

    /// Returns the block with its checksum: the sum of all bytes, where the checksum field counts as spaces.
    mutating func block() -> [UInt8] {
        set(repeatElement(UInt8(ascii: " "), count: 8), at: 148)
        setOctal(bytes.reduce(0) { $0 + Int($1) }, at: 148, digits: 6)
        bytes[154] = 0
        bytes[155] = UInt8(ascii: " ")
        return bytes
    }

    /// Returns a pax record: `length name=value` and a line feed. The length includes its own digits.
    static func record(_ name: String, _ value: String) -> [UInt8] {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count
        while String(length).utf8.count + rest.utf8.count != length {
            length = String(length).utf8.count + rest.utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }

    private mutating func set(_ value: some Sequence<UInt8>, at offset: Int) {
        for (index, byte) in value.enumerated() { bytes[offset + index] = byte }
    }

    private mutating func setOctal(_ value: Int, at offset: Int, digits: Int) {
        var value = value
        for index in (0..<digits).reversed() {
            bytes[offset + index] = UInt8(ascii: "0") + UInt8(value & 7)
            value >>= 3
        }
    }
}

extension ArchiveContents {
    /// Returns a reproducible `.tar`.
    ///
    /// - Parameter modified: The modification time of all entries, in seconds since 1970.
    package func tar(modified: Int64) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        try TarWriter(modified: modified) { bytes.append(contentsOf: $0) }.write(self)
        return bytes
    }
}

/// A file to read into an archive. A class, because Swift 6.3 does not compile a noncopyable `ReadableFile` that is
/// assigned in a `do` statement with an error of another type ("copy of noncopyable typed value").
final class InputFile {
    /// The size in bytes at the time of opening.
    let size: Int
    private let file: ReadableFile

    init(_ path: String) throws(ArchiveError) {
        do throws(FileError) { file = try ReadableFile(path) } catch { throw .file(error) }
        size = file.size
    }

    /// Calls `body` with each chunk of the file in turn.
    func readAll(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while let chunk = try next(in: buffer) { try body(chunk) }
    }

    private func next(in buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer? {
        do throws(FileError) { return try file.next(in: buffer) } catch { throw .file(error) }
    }
}
