import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An output file of a command. An existing file is overwritten only with `--force`.
struct OutputFile {
    let path: String

    /// Checks the file before the work for it is done.
    ///
    /// - Throws: ``Failure`` if the file exists and `force` is `false`, or if it cannot be created.
    init(_ path: String, force: Bool) throws {
        guard force || fileKind(path) == nil else {
            throw Failure("'\(path)' exists", hint: "use --force to overwrite it", status: .cannotWrite)
        }
        guard fileKind(path) != .directory else { throw Failure("'\(path)' is a directory", status: .cannotWrite) }
        let parent = parentDirectory(path)
        guard fileKind(path) != nil || isDirectory(parent) else {
            throw Failure("there is no directory '\(parent)'", status: .cannotWrite)
        }
        guard fileKind(path) != nil || access(parent, W_OK) == 0 else {
            throw Failure("could not write '\(path)': \(String(cString: strerror(errno)))", status: .cannotWrite)
        }
        self.path = path
    }

    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try writeFile(bytes, to: path)
        } catch {
            throw Failure("\(error)", status: .cannotWrite)
        }
    }
}
