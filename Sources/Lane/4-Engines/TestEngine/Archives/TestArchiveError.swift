package import Archives
package import OperatingSystem

/// An error in packing tests, or in preparing the tests of an archive.
package enum TestArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case cannotRead(String, ArchiveError)
    case cannotWrite(ArchiveError)
    case cannotPrepare(FileError)
    /// The file is an archive, but not of tests.
    case notTests(String)
    case newerVersion(String, Int)
    case damaged(String, reason: String)
    case otherPlatform(expected: String, found: String)
    /// The machine has no Swift runtime, or lacks some of its libraries.
    case noRuntime(swift: String, missing: [String], searched: [String])
    case otherRuntime(swift: String, path: String)
    /// The name of a test contains the control character that separates names in the archive.
    case unlistable

    package var description: String {
        switch self {
        case .cannotRead(_, .file(let error)): error.description
        case .cannotRead(let path, .damaged(let reason)), .damaged(let path, let reason):
            "the archive '\(path)' is damaged: \(reason)\nhint: copy it again, or pack the tests again"
        case .cannotRead(let path, let error): "cannot read the archive '\(path)': \(error)"
        case .cannotWrite(let error): "\(error)"
        case .cannotPrepare(let error): error.description
        case .notTests(let path):
            "'\(path)' is not an archive of tests\nhint: 'lane test --archive FILE' packs tests"
        case .newerVersion(let path, let version):
            "'\(path)' has version \(version) of the format, which this version of lane does not know"
        case .otherPlatform(let expected, let found):
            "the archive's tests were built for \(expected), this machine is \(found)"
        case .noRuntime(let swift, let missing, let searched):
            "this machine lacks the Swift runtime of the archive's tests, \(swift): no \(missing.joined(separator: ", ")) "
                + "in \(searched.joined(separator: ", "))\nhint: use the image that built them, or its '-slim' variant"
        case .otherRuntime(let swift, let path):
            "the archive's tests need the runtime of \(swift), which '\(path)' is not\n"
                + "hint: use the image that built them, or its '-slim' variant"
        case .unlistable: "the name of a test contains a control character, so the tests cannot be packed"
        }
    }
}

extension TestArchiveError: FileErrorConvertible {
    package init(_ error: FileError) { self = .cannotPrepare(error) }
}

/// Runs an operation that writes an archive, and converts its error.
func packing<Result>(_ body: () throws(ArchiveError) -> Result) throws(TestArchiveError) -> Result {
    do throws(ArchiveError) { return try body() } catch { throw .cannotWrite(error) }
}
