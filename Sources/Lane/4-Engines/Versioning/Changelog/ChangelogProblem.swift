package import OperatingSystem
import Text

/// A reason why a changelog cannot be changed, with its location.
package struct ChangelogProblem: Error, Equatable {
    /// The number of the line, starting at 1.
    let line: Int
    /// The number of the byte in the line, starting at 1, or `nil` for the whole line.
    private(set) var column: Int?
    let message: String

    /// Returns the refusal with the name of the file.
    package func refusal(in file: String) -> OperationFailure {
        .refused(["\(file):\(line):\(column.map { "\($0):" } ?? "") \(message)"])
    }

    /// Returns the problem of the first byte in a line that is not UTF-8, or `nil` if there is none.
    static func encoding(of line: ChangelogLine, number: Int, effect: String) -> ChangelogProblem? {
        guard let (byte, offset) = EscapedUTF8.firstInvalidByte(in: line.text) else { return nil }
        let found = "0x" + String(byte, radix: 16, uppercase: true)
        return ChangelogProblem(
            line: number, column: offset + 1,
            message: "expected UTF-8, found the byte \(found), so \(effect)\nhint: convert the file to UTF-8")
    }
}
