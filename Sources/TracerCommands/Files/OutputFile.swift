import Diagnostics
import Files

/// A file that a command makes. What is there already is not touched without `--force`.
struct OutputFile {
    let path: String

    /// - Throws: ``Failure`` when there is something at the path and `force` is not given.
    init(_ path: String, force: Bool) throws {
        guard force || fileKind(path) == nil else {
            throw Failure("'\(path)' exists", hint: "--force replaces it", status: .cannotWrite)
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
