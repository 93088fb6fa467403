package import Expressions
import LaneModel

/// A script for `sh -eu` that fails if any command of a pipeline fails.
package struct ShellCommand {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Returns the words of a command: a program and its arguments, or a script as one word.
    package static func words(of command: Value?) -> [String] {
        switch command {
        case .string(let script): ["sh", "-euc", ShellCommand(script).withPipeFailure()]
        case .list(let words): words.compactMap(\.text)
        default: []
        }
    }

    /// Returns the script with the option `pipefail` if it has a pipeline, or for bash if `sh` does not support the option.
    /// Tests the option in a subshell, because some shells exit at an unknown option.
    ///
    /// - Parameter inFile: A Boolean value that indicates whether the script is a file and not an argument.
    package func withPipeFailure(inFile: Bool = false) -> String {
        guard hasPipe else { return text }
        let words = inFile ? "\"$0\"" : "-c \(ShellWords.quoted(text))"
        return "if (set -o pipefail) 2>/dev/null; then set -o pipefail; elif command -v bash >/dev/null; then "
            + "exec bash --posix -euo pipefail \(words); fi; \(text)"
    }

    /// A Boolean value that indicates whether the script contains `|` that is not a part of `||`.
    private var hasPipe: Bool {
        var previous = UInt8(ascii: "\n")
        var run = 0
        for byte in Array(text.utf8) + [previous] {
            if byte == UInt8(ascii: "|") {
                run += 1
            } else if previous == UInt8(ascii: "|") {
                if run % 2 == 1 { return true }
                run = 0
            }
            previous = byte
        }
        return false
    }
}
