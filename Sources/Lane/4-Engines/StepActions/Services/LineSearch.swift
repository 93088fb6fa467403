import OperatingSystem
import Synchronization
import Text
import ToolOutput

/// A search for a text in the lines of growing output.
final class LineSearch: Sendable {
    /// The number of bytes of an unfinished line that are searched again when more follow.
    private static let longestLine = 16_384

    private enum State {
        case searching(unfinishedLine: [UInt8])
        case found
    }

    /// The text to find.
    let text: String
    private let state = Mutex(State.searching(unfinishedLine: []))

    init(_ text: String) {
        self.text = text
    }

    /// A Boolean value that indicates whether a line contained the text.
    var isFound: Bool {
        state.withLock { if case .found = $0 { true } else { false } }
    }

    /// Searches the next bytes of the output.
    func receive(_ bytes: [UInt8]) {
        state.withLock { state in
            guard case .searching(let start) = state else { return }
            let output = start + bytes
            // A program may color a part of the line.
            if String(decoding: withoutEscapes(output), as: UTF8.self).contains(text) {
                state = .found
                return
            }
            let line = output.lastIndex(of: UInt8(ascii: "\n")).map { output[($0 + 1)...] } ?? output[...]
            state = .searching(unfinishedLine: Array(line.suffix(Self.longestLine)))
        }
    }
}
