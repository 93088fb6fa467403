import Events
import OperatingSystem
import Synchronization
import Text

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
