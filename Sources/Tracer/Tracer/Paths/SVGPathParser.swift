/// A parser of path data.
struct SVGPathParser {
    private let bytes: [UInt8]
    private var index = 0
    private var finished: [Curve] = []
    private var current: Curve?
    private var pen = TracePoint.zero
    /// The last control point and the type of its curve, for the smooth commands `S` and `T`.
    private var control: (point: TracePoint, isCubic: Bool)?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func curves() throws(SVGPathData.Failure) -> [Curve] {
        skipSpace()
        while index < bytes.count {
            let command = bytes[index]
            let lower = command | 0x20
            guard "mlhvcsqtaz".utf8.contains(lower) else { throw failure("expected a command letter") }
            guard current != nil || lower == UInt8(ascii: "m") || !finished.isEmpty else {
                throw failure("expected 'M' before '\(Character(Unicode.Scalar(command)))'")
            }
            index += 1
            try run(lower, isRelative: command == lower)
            skipSpace()
        }
        finish()
        return finished
    }

    private func failure(_ reason: String) -> SVGPathData.Failure {
        SVGPathData.Failure(offset: index, description: index < bytes.count ? reason : "\(reason), found the end")
    }

    /// Ends a subpath. A move alone draws nothing, and one that is closed is a dot.
    private mutating func finish(isClosed: Bool = false) {
        if let current, isClosed || !current.elements.isEmpty { finished.append(current) }
        current = nil
    }

    /// Parses the parameters of a command, which may be repeated.
    private mutating func run(_ command: UInt8, isRelative: Bool) throws(SVGPathData.Failure) {
        if command == UInt8(ascii: "z") {
            if let curve = current {
                if curve.end != curve.start { current = curve.line(to: curve.start) }
                pen = curve.start
                finish(isClosed: true)
            }
            control = nil
            return
        }
        var command = command
        repeat {
            if command == UInt8(ascii: "m") {
                finish()
                pen = try point(isRelative: isRelative)
                current = Curve(at: pen)
                control = nil
                // Further pairs of coordinates after a move are lines.
                command = UInt8(ascii: "l")
            } else {
                try add(command, isRelative: isRelative)
            }
            skipSpace()
        } while startsNumber
    }

    private mutating func add(_ command: UInt8, isRelative: Bool) throws(SVGPathData.Failure) {
        let base = isRelative ? pen : .zero
        let element: Curve.Element?
        var nextControl: (TracePoint, Bool)?
        var end = pen
        switch command {
        case UInt8(ascii: "h"):
            end = TracePoint(try number() + base.x, pen.y)
            element = .line(to: end)
        case UInt8(ascii: "v"):
            end = TracePoint(pen.x, try number() + base.y)
            element = .line(to: end)
        case UInt8(ascii: "c"), UInt8(ascii: "s"):
            let first = command == UInt8(ascii: "c") ? try point(isRelative: isRelative) : reflected(isCubic: true)
            let second = try point(isRelative: isRelative)
            end = try point(isRelative: isRelative)
            element = .cubic(control1: first, control2: second, to: end)
            nextControl = (second, true)
        case UInt8(ascii: "q"), UInt8(ascii: "t"):
            let middle = command == UInt8(ascii: "q") ? try point(isRelative: isRelative) : reflected(isCubic: false)
            end = try point(isRelative: isRelative)
            element = .quadratic(control: middle, to: end)
            nextControl = (middle, false)
        case UInt8(ascii: "a"):
            let radii = TraceSize(abs(try number()), abs(try number()))
            let rotation = try number() * Double.pi / 180
            let (isLarge, isClockwise) = (try flag(), try flag())
            end = try point(isRelative: isRelative)
            element = Self.arc(
                from: pen, to: end, radii: radii, rotation: rotation, isLarge: isLarge, isClockwise: isClockwise)
        default:
            end = try point(isRelative: isRelative)
            element = .line(to: end)
        }
        if let element {
            if current == nil { current = Curve(at: pen) }
            current?.append(element)
        }
        pen = end
        control = nextControl
    }

    private func reflected(isCubic: Bool) -> TracePoint {
        guard let control, control.isCubic == isCubic else { return pen }
        return pen * 2 - control.point
    }

    /// Returns an arc converted from endpoint to center parameterization (SVG 1.1, appendix F.6.5), or `nil` if start
    /// and end are the same.
    private static func arc(
        from start: TracePoint, to end: TracePoint, radii: TraceSize, rotation: Double, isLarge: Bool, isClockwise: Bool
    ) -> Curve.Element? {
        guard start != end else { return nil }
        guard radii.width > 0, radii.height > 0 else { return .line(to: end) }
        let flat = TraceTransform.rotation(radians: -rotation).apply(to: (start - end) * 0.5)
        // Radii that are too small for the distance are scaled up.
        let excess = (flat.x / radii.width) * (flat.x / radii.width) + (flat.y / radii.height) * (flat.y / radii.height)
        let factor = max(1, excess.squareRoot())
        let (rx, ry) = (radii.width * factor, radii.height * factor)
        let spread = rx * rx * flat.y * flat.y + ry * ry * flat.x * flat.x
        let root = max(0, (rx * rx * ry * ry - spread) / spread).squareRoot() * (isLarge == isClockwise ? -1 : 1)
        let local = TracePoint(root * rx * flat.y / ry, -root * ry * flat.x / rx)
        let center = TraceTransform.rotation(radians: rotation).apply(to: local) + start.interpolated(to: end, 0.5)
        let from = Trigonometry.angle(of: TracePoint((flat.x - local.x) / rx, (flat.y - local.y) / ry))
        let to = Trigonometry.angle(of: TracePoint((-flat.x - local.x) / rx, (-flat.y - local.y) / ry))
        var sweep = to - from
        if isClockwise, sweep < 0 { sweep += 2 * Double.pi }
        if !isClockwise, sweep > 0 { sweep -= 2 * Double.pi }
        guard center.isUsable, sweep.isFinite else { return .line(to: end) }
        return .arc(Curve.Arc(center: center, radii: TraceSize(rx, ry), rotation: rotation, start: from, sweep: sweep))
    }
}

extension SVGPathParser {
    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) || bytes[index] == 0x2C
        {
            index += 1
        }
    }

    private var startsNumber: Bool {
        guard index < bytes.count else { return false }
        return isDigit(bytes[index]) || "+-.".utf8.contains(bytes[index])
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func point(isRelative: Bool) throws(SVGPathData.Failure) -> TracePoint {
        let point = TracePoint(try number(), try number())
        return isRelative ? point + pen : point
    }

    /// Parses a flag, which may be followed directly by a number, as in `a1 1 0 0110 10`.
    private mutating func flag() throws(SVGPathData.Failure) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "0") || bytes[index] == UInt8(ascii: "1") else {
            throw failure("expected 0 or 1")
        }
        index += 1
        return bytes[index - 1] == UInt8(ascii: "1")
    }

    private mutating func number() throws(SVGPathData.Failure) -> Double {
        skipSpace()
        let start = index
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
        skipDigits()
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            skipDigits()
        }
        if index + 1 < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            let mark = index
            index += 1
            if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
            let digits = index
            skipDigits()
            if index == digits { index = mark }
        }
        var text = String(decoding: bytes[start..<index], as: UTF8.self)
        // `5.` is a number in SVG, but not in the standard library.
        if text.last == "." { text += "0" }
        guard let value = Double(text), abs(value) <= TracePoint.largestCoordinate else {
            index = start
            throw failure("expected a number")
        }
        return value
    }

    private mutating func skipDigits() {
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    }
}
