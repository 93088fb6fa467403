#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where bytes for a path have to go.
enum WriteTarget {
    /// A file, whether it is there or not, behind all links: it can be replaced as a whole.
    case file(String)
    /// A device, a pipe, or what this process has open: it must stay what it is, so bytes go into it.
    case stream

    /// As many links as Linux follows itself.
    private static let mostLinks = 40

    init(_ path: String) throws(FileError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            self = .stream
            return
        }
        var target = path
        for _ in 0...Self.mostLinks {
            guard let link = Self.link(at: target) else {
                self = .file(target)
                return
            }
            let folder = parentDirectory(target)
            // `/dev/stdout` that leads to a file: more than our bytes goes there, by a descriptor that a rename would
            // cut off.
            if resolvedPath(folder)?.utf8.starts(with: "/proc/".utf8) == true {
                self = .stream
                return
            }
            target = link.isAbsolutePath ? link : "\(folder)/\(link)"
        }
        throw FileError("write", path, code: ELOOP)
    }

    /// What a symbolic link says; `nil` for anything else.
    private static func link(at path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
