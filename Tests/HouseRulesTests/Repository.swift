import OperatingSystem
import TestSupport

/// The checkout that these tests were built from.
enum Repository {
    static let root = repositoryRoot

    /// Returns the paths of all Swift files in a directory, relative to the root. Excludes packages that tests only read, and
    /// stand-ins, which repeat declarations of other libraries.
    static func swiftFiles(below directory: String) throws -> [String] {
        try files(below: directory).filter {
            $0.hasSuffix(".swift") && !$0.contains("/Fixtures/") && !$0.contains("/StandIns/")
        }
    }

    static func files(below directory: String) throws -> [String] {
        try listDirectory("\(root)/\(directory)").filter { !$0.hasPrefix(".") }.flatMap { name in
            let path = "\(directory)/\(name)"
            return isDirectory("\(root)/\(path)") ? try files(below: path) : [path]
        }
    }

    static func text(_ path: String) throws -> String {
        try readText("\(root)/\(path)")
    }

    static func lines(_ path: String) throws -> [Substring] {
        try text(path).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }
}
