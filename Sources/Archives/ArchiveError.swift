package import Files

/// Why an archive could not be written, read or unpacked.
package enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileError)
    /// A file became longer or shorter while it was being read.
    case changedWhileRead(String)
    /// A path that may not stand in an archive: absolute, empty, with `.` or `..`, or with NUL.
    case unsafePath(String)
    /// A link whose target lies outside of the archive.
    case unsafeLink(_ path: String, target: String)
    case duplicate(String)
    /// Neither file, folder nor symbolic link.
    case unsupportedKind(String)
    /// More than the format or the given limit allows.
    case tooLarge(String)
    /// The bytes are not what the format says, and where.
    case damaged(String)

    /// For a person, with the path.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .changedWhileRead(let path): "'\(path)' changed while it was being read"
        case .unsafePath(let path): "unsafe path in archive: '\(path)'"
        case .unsafeLink(let path, let target): "link '\(path)' leads out of the archive, to '\(target)'"
        case .duplicate(let path): "'\(path)' is in the archive twice"
        case .unsupportedKind(let path): "'\(path)' is neither a file, a folder nor a symbolic link"
        case .tooLarge(let what): "\(what) is too large"
        case .damaged(let what): "damaged archive: \(what)"
        }
    }
}
