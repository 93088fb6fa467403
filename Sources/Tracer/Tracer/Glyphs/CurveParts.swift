extension Curve {
    /// The start or an element in its encoded form.
    package struct Part: Sendable, Hashable {
        /// The letter: `M`, `L`, `Q`, `C` or `A`.
        package let letter: String
        /// The numbers: 2, 2, 4, 6 or 7, depending on the letter.
        package let numbers: [Double]

        /// Creates a part, which ``Curve/init(parts:)`` validates.
        package init(letter: String, numbers: [Double]) {
            self.letter = letter
            self.numbers = numbers
        }

        /// The letter, or `nil` for several ones. Scalars are compared without the Unicode tables that strings need, which
        /// a WebAssembly module would include.
        fileprivate var scalar: Unicode.Scalar? {
            letter.unicodeScalars.dropFirst().isEmpty ? letter.unicodeScalars.first : nil
        }
    }

    /// The parts: the start, followed by the elements.
    package var parts: [Part] {
        [Part(letter: "M", numbers: [start.x, start.y])]
            + elements.map { element in
                switch element {
                case .line(let to): Part(letter: "L", numbers: [to.x, to.y])
                case .quadratic(let control, let to): Part(letter: "Q", numbers: [control.x, control.y, to.x, to.y])
                case .cubic(let control1, let control2, let to):
                    Part(letter: "C", numbers: [control1.x, control1.y, control2.x, control2.y, to.x, to.y])
                case .arc(let arc):
                    Part(
                        letter: "A",
                        numbers: [
                            arc.center.x, arc.center.y, arc.radii.width, arc.radii.height, arc.rotation, arc.start,
                            arc.sweep,
                        ])
                }
            }
    }

    /// Creates a curve from its ``parts``, or returns `nil` if one is invalid or misplaced.
    package init?(parts: some Sequence<Part>) {
        var curve: Curve?
        for part in parts {
            if curve != nil {
                guard let element = Self.element(part) else { return nil }
                curve?.append(element)
            } else {
                guard part.scalar == "M", part.numbers.count == 2 else { return nil }
                curve = Curve(at: TracePoint(part.numbers[0], part.numbers[1]))
            }
        }
        guard let curve else { return nil }
        self = curve
    }

    private static func element(_ part: Part) -> Element? {
        let n = part.numbers
        func point(_ index: Int) -> TracePoint { TracePoint(n[index], n[index + 1]) }
        switch (part.scalar, n.count) {
        case ("L", 2): return .line(to: point(0))
        case ("Q", 4): return .quadratic(control: point(0), to: point(2))
        case ("C", 6): return .cubic(control1: point(0), control2: point(2), to: point(4))
        case ("A", 7):
            return .arc(Arc(center: point(0), radii: TraceSize(n[2], n[3]), rotation: n[4], start: n[5], sweep: n[6]))
        default: return nil
        }
    }
}
