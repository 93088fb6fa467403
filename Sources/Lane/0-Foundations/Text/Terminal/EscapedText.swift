/// A text as a sequence of Unicode scalars and ECMA-48 escape sequences: CSI, control strings such as OSC, and
/// sequences of two characters.
///
/// A sequence never extends past the end of its line. An unterminated control string is not a sequence: the characters
/// after its introducer are text. A truncated sequence therefore doesn't hide the rest of the line.
struct EscapedText: Sequence, IteratorProtocol {
    enum Piece {
        case scalar(Unicode.Scalar)
        case escape(Substring.UnicodeScalarView)
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: some StringProtocol) { rest = Substring(text).unicodeScalars }

    mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        guard first == "\u{1B}" else {
            rest.removeFirst()
            return .scalar(first)
        }
        let end = endOfEscape
        defer { rest = rest[end...] }
        return .escape(rest[..<end])
    }

    /// The end of the escape sequence that `rest` starts with.
    private var endOfEscape: Substring.UnicodeScalarView.Index {
        let body = rest.dropFirst()
        switch body.first {
        case "[": return end(of: body.dropFirst()) { (0x40...0x7E).contains($0.value) }
        case " ", "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/":
            return end(of: body) { $0.value > 0x2F }
        case "]", "P", "_", "^": return endOfControlString(body.dropFirst())
        case let scalar?: return scalar.value < 0x20 ? body.startIndex : rest.index(after: body.startIndex)
        case nil: return rest.endIndex
        }
    }

    /// Returns the index after the first scalar that satisfies `isLast`, or the index of the first control character,
    /// whichever comes first.
    private func end(
        of body: Substring.UnicodeScalarView, _ isLast: (Unicode.Scalar) -> Bool
    ) -> Substring.UnicodeScalarView.Index {
        guard let end = body.firstIndex(where: { isLast($0) || $0.value < 0x20 }) else { return rest.endIndex }
        return isLast(body[end]) ? body.index(after: end) : end
    }

    /// Returns the index after the terminator of a control string, BEL or `ESC \`; the start of `body` if there is
    /// none.
    private func endOfControlString(_ body: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index {
        guard let end = body.firstIndex(where: { ["\u{7}", "\u{1B}", "\n"].contains($0) }) else {
            return body.startIndex
        }
        let after = body.index(after: end)
        if body[end] == "\u{7}" { return after }
        return body[end] == "\u{1B}" && body[after...].first == "\\" ? body.index(after: after) : body.startIndex
    }
}
