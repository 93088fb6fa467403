import Archives
import OperatingSystem
import Text

/// The files of a release in a directory, with their digests. Hidden files don't count.
struct ReceivedFiles {
    let directory: String
    /// The paths relative to the directory, sorted.
    let names: [String]
    private let known: Set<String>
    private var digests: [String: Result<String, ArchiveError>] = [:]

    /// - Parameter isRecursive: A Boolean value that indicates whether the files of subdirectories count.
    init(in directory: String, isRecursive: Bool) throws(FileError) {
        self.directory = directory
        let entries = try listDirectory(directory)
        let names = isRecursive ? FilePattern("**").files(below: directory) : entries
        self.names = names.filter { name in
            !name.pathComponents.contains { $0.hasPrefix(".") } && !isDirectory("\(directory)/\(name)")
        }.sorted()
        known = Set(self.names)
    }

    /// Creates a value with some files of a directory.
    init(_ names: [String], in directory: String) {
        self.directory = directory
        self.names = names.sorted()
        known = Set(names)
    }

    func contains(_ name: String) -> Bool { known.contains(name) }

    func path(of name: String) -> String { "\(directory)/\(name)" }

    /// Returns the SHA-256 of a file, which is computed once.
    mutating func digest(of name: String) throws(ArchiveError) -> String {
        if let digest = digests[name] { return try digest.get() }
        let result: Result<String, ArchiveError>
        do throws(ArchiveError) {
            result = .success(try SHA256.digest(ofFile: path(of: name)).description)
        } catch {
            result = .failure(error)
        }
        digests[name] = result
        return try result.get()
    }
}
