/// A text as its scalars and the escape sequences between them (ECMA-48: CSI, OSC and its like, those of two characters).
///
/// No sequence goes beyond its line; and one of those that take any text is none where nothing ends it, or it would take
/// all that follows: somebody may well print half of one.
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

    /// Where the sequence ends with which the rest begins.
    private var endOfEscape: Substring.UnicodeScalarView.Index {
        let body = rest.dropFirst()
        switch body.first {
        case "[": return end(of: body.dropFirst()) { (0x40...0x7E).contains($0.value) }
        case " ", "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/":
            return end(of: body) { $0.value > 0x2F }
        case "]", "P", "_", "^": return endOfText(body.dropFirst())
        case let scalar?: return scalar.value < 0x20 ? body.startIndex : rest.index(after: body.startIndex)
        case nil: return rest.endIndex
        }
    }

    /// Behind the first scalar that ends it, or before the first that cannot be a part of it.
    private func end(
        of body: Substring.UnicodeScalarView, _ isLast: (Unicode.Scalar) -> Bool
    ) -> Substring.UnicodeScalarView.Index {
        guard let end = body.firstIndex(where: { isLast($0) || $0.value < 0x20 }) else { return rest.endIndex }
        return isLast(body[end]) ? body.index(after: end) : end
    }

    /// BEL or `ESC \` ends a text.
    private func endOfText(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index {
        guard let end = text.firstIndex(where: { ["\u{7}", "\u{1B}", "\n"].contains($0) }) else {
            return text.startIndex
        }
        let after = text.index(after: end)
        if text[end] == "\u{7}" { return after }
        return text[end] == "\u{1B}" && text[after...].first == "\\" ? text.index(after: after) : text.startIndex
    }
}
