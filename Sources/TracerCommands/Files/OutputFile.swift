import Diagnostics
import Files

/// An output file of a command. An existing file is overwritten only with `--force`.
struct OutputFile {
    let path: String

    /// - Throws: ``Failure`` if the file exists and `force` is `false`.
    init(_ path: String, force: Bool) throws {
        guard force || fileKind(path) == nil else {
            throw Failure("'\(path)' exists", hint: "use --force to overwrite it", status: .cannotWrite)
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
