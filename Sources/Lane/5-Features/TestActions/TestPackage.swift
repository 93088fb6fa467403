import Actions
import Events
import LaneModel
import OperatingSystem
import Synchronization
package import TestEngine
import Text

/// The package that a step tests: that of the root, or of a directory below it.
struct TestPackage {
    /// The absolute path.
    let directory: String
    /// The path relative to the root, either empty or with a trailing `/`.
    let prefix: String

    init(_ settings: Settings, in context: StepContext) {
        directory =
            settings.string("directory").map { absolutePath($0, from: context.directory) }
            ?? context.workingDirectory
        prefix = directory == context.directory ? "" : relativePath(directory, to: context.directory) + "/"
    }

    /// Returns the directory of the package in the user's checkout, which the history is about.
    func history(in context: StepContext) -> String {
        prefix.isEmpty ? context.root : absolutePath(String(prefix.dropLast()), from: context.root)
    }

    /// Returns an event with paths relative to the root.
    func located(_ kind: LaneEvent.Kind, in context: StepContext) -> LaneEvent.Kind {
        guard case .test(.attached(let test, let path)) = kind else { return kind.located(below: prefix) }
        return .test(.attached(test, path: relativePath(absolutePath(path, from: directory), to: context.root)))
    }

    /// Throws if the directory is missing or has no package.
    func check() throws(OperationFailure) {
        guard !prefix.isEmpty, !fileExists("\(directory)/Package.swift") else { return }
        throw OperationFailure(
            status: ExitStatus.fileNotFound.rawValue, "there is no 'Package.swift' in '\(prefix.dropLast())'")
    }
}

extension TestHistory {
    /// Creates the history of the tests of a package.
    ///
    /// - Parameters:
    ///   - root: The root of the lanes, whose directory `.lane` contains the history.
    ///   - package: The directory of the package.
    package convenience init(root: String, package: String) {
        let path = package == root ? "" : relativePath(package, to: root) + "/"
        let isBelow = !path.hasPrefix("../") && !path.hasPrefix("/")
        self.init(path: isBelow ? "\(root)/.lane/tests/\(path)history" : "\(package)/.lane/tests/history")
    }
}

/// The source files of failures, which supply the lines of failed expectations.
final class FailureSources: Sendable {
    /// The maximum number of lines of an expectation.
    private static let maximumLines = 5

    private let root: String
    /// The lines of the last file. Most failures in a row are in one file.
    private let last = Mutex<(path: String, lines: [Substring])>(("", []))

    /// - Parameter root: The directory that relative paths are relative to.
    init(root: String) { self.root = root }

    /// Returns the event of a failure with the lines of its expectation.
    func completed(_ kind: LaneEvent.Kind) -> LaneEvent.Kind {
        guard case .test(.issue(var issue)) = kind, issue.severity == .failure, issue.source.isEmpty,
            let location = issue.location
        else { return kind }
        issue.source = last.withLock { last in
            if last.path != location.path { last = (location.path, lines(of: location.path)) }
            return Self.statement(in: last.lines, at: location.line)
        }
        return .test(.issue(issue))
    }

    private func lines(of path: String) -> [Substring] {
        let text = try? readText(absolutePath(path, from: root))
        return text?.parts(separatedBy: "\n") ?? []
    }

    /// Returns the lines from a line to the one that closes its parentheses, without their common indentation.
    static func statement(in lines: [Substring], at line: Int) -> [String] {
        guard lines.indices.contains(line - 1) else { return [] }
        var statement: [Substring] = []
        var depth = 0
        for text in lines[(line - 1)...].prefix(maximumLines) {
            statement.append(text)
            depth += text.utf8.count { $0 == UInt8(ascii: "(") } - text.utf8.count { $0 == UInt8(ascii: ")") }
            if depth <= 0 { break }
        }
        if depth > 0 { statement = [statement[0]] }
        let indentation = statement.map { $0.utf8.prefix(while: \.isBlank).count }.min() ?? 0
        return statement.map { String(Substring($0.utf8.dropFirst(indentation))).withoutReturn }
    }
}

extension String {
    /// The text without a carriage return at its end.
    fileprivate var withoutReturn: String {
        utf8.last == UInt8(ascii: "\r") ? String(Substring(utf8.dropLast())) : self
    }
}
