package import OperatingSystem
import Text

/// An error in writing, reading or unpacking an archive.
package enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileError)
    /// The size of a file changed while it was being read.
    case changedWhileRead(String)
    /// A path that is not allowed in an archive: absolute, empty, with `.` or `..` as a component, or with a NUL.
    case unsafePath(String)
    /// A link whose target is outside the archive.
    case unsafeLink(_ path: String, target: String)
    case duplicate(String)
    /// An entry that is neither a file, a directory nor a symbolic link.
    case unsupportedKind(String)
    /// A size above the limit of the format or the caller.
    case tooLarge(String)
    /// Bytes that violate the format, with a description of the part.
    case damaged(String)

    /// The message, with the path.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .changedWhileRead(let path): "'\(path)' changed while it was being read"
        case .unsafePath(let path): "unsafe path in archive: '\(path)'"
        case .unsafeLink(let path, let target): "link '\(path)' has a target outside the archive, '\(target)'"
        case .duplicate(let path): "'\(path)' is in the archive twice"
        case .unsupportedKind(let path): "'\(path)' is neither a file, a directory nor a symbolic link"
        case .tooLarge(let what): "\(what) is too large"
        case .damaged(let what): "damaged archive: \(what)"
        }
    }
}

extension ArchiveError: FileErrorConvertible {
    package init(_ error: FileError) { self = .file(error) }
}

extension OperationFailure {
    /// Creates the failure of an archive operation.
    package init(_ error: ArchiveError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.description)
    }
}

/// Runs an archive operation and converts its error.
package func convertingArchiveErrors<Result>(_ body: () throws(ArchiveError) -> Result) throws(OperationFailure)
    -> Result
{
    do throws(ArchiveError) { return try body() } catch { throw OperationFailure(error) }
}

/// Evaluates an expression with an archive operation and converts its error.
package func convertingArchiveErrors<Result>(
    of operation: @autoclosure () throws(ArchiveError) -> Result
) throws(OperationFailure) -> Result {
    try convertingArchiveErrors(operation)
}
