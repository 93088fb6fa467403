import OperatingSystem
import Synchronization
import Text

/// A search for a text in the lines of growing output.
final class LineSearch: Sendable {
    /// The number of bytes of an unfinished line that are searched again when more follow.
    private static let longestLine = 16_384

    private enum State {
        case searching(unfinishedLine: [UInt8])
        case found
    }

    private let text: String
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
            if Self.withoutEscapes(String(decoding: output, as: UTF8.self)).contains(text) {
                state = .found
                return
            }
            let line = output.lastIndex(of: UInt8(ascii: "\n")).map { output[($0 + 1)...] } ?? output[...]
            state = .searching(unfinishedLine: Array(line.suffix(Self.longestLine)))
        }
    }

    /// Returns the text without control sequences of ECMA-48, such as colors and links. A program may color a part of
    /// the line.
    static func withoutEscapes(_ text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        var plain: [UInt8] = []
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            guard byte == 0x1B else {
                plain.append(byte)
                continue
            }
            switch bytes.popFirst() {
            case UInt8(ascii: "["):
                bytes = bytes.drop { !(0x40...0x7E).contains($0) }.dropFirst()
            case UInt8(ascii: "]"):
                bytes = bytes.drop { $0 != 0x07 && $0 != 0x1B }
                bytes = bytes.dropFirst(bytes.first == 0x1B ? 2 : 1)
            default: break
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
