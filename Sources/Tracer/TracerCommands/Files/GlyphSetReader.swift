import Text
import Tracer

/// A reader of glyph sets in JSON, which reports errors with their source locations.
///
/// A stroke may also be a string of SVG path data, which may contain several strokes.
struct GlyphSetReader {
    private let source: SourceFile
    private var problems = Diagnostics()

    /// The member that identifies a glyph set.
    static let mark = "tracer-glyphs"
    /// The maximum number of reported errors for a file.
    private static let maximumProblems = 10

    static func read(_ node: JSONNode, from source: SourceFile) throws -> GlyphSet {
        var reader = GlyphSetReader(source: source)
        let set = reader.set(node)
        if reader.problems.hasErrors { throw Failure(reader.problems) }
        return set
    }

    private init(source: SourceFile) {
        self.source = source
    }

    private mutating func report(_ message: String, _ node: JSONNode) {
        guard problems.all.count < Self.maximumProblems else { return }
        problems.error(message, at: Span(file: source, range: node.range))
    }

    private mutating func refuseOthers(than fields: [String], in node: JSONNode) {
        for member in node.members ?? [] where !fields.contains(member.name) {
            guard problems.all.count < Self.maximumProblems else { return }
            let hint = nearest(to: member.name, among: fields).map { "did you mean '\($0)'?" }
            problems.error(
                "unknown field '\(member.name)'", at: Span(file: source, range: member.nameRange), hint: hint)
        }
    }

    private mutating func set(_ node: JSONNode) -> GlyphSet {
        refuseOthers(than: [Self.mark, "name", "glyphs"], in: node)
        if let format = node[Self.mark], format.integer != GlyphSet.format {
            report("expected format \(GlyphSet.format) in '\(Self.mark)'", format)
        }
        if let name = node["name"], name.string == nil {
            report("expected a string in 'name', found \(name.kind)", name)
        }
        guard let list = node["glyphs"]?.array else {
            report("expected a list of glyphs in 'glyphs'", node["glyphs"] ?? node)
            return GlyphSet(glyphs: [])
        }
        return GlyphSet(name: node["name"]?.string, glyphs: list.map { glyph($0) })
    }

    private mutating func glyph(_ node: JSONNode) -> Glyph {
        refuseOthers(than: ["name", "strokes", "orders", "lines", "box"], in: node)
        let name = node["name"]?.string
        if name == nil { report("expected a glyph with a string in 'name'", node["name"] ?? node) }
        var curves: [Curve] = []
        if let strokes = node["strokes"]?.array {
            for stroke in strokes { curves += self.curves(stroke) }
        } else {
            report("expected a list of strokes in 'strokes'", node["strokes"] ?? node)
        }
        let orders = node["orders"]
        if let orders, orders.array == nil {
            report("expected a list of orders in 'orders', found \(orders.kind)", orders)
        }
        let lines = node["lines"]
        let heights = (lines?.array ?? []).compactMap(\.number)
        if let lines, heights.count != lines.array?.count {
            report("expected a list of heights in 'lines'", lines)
        }
        return Glyph(
            name: name ?? "", curves: curves,
            alternatives: (orders?.array ?? []).compactMap { order($0, strokes: curves.count) },
            writingLines: heights, box: node["box"].flatMap { box($0) })
    }

    private mutating func box(_ node: JSONNode) -> TraceRect? {
        let numbers = (node.array ?? []).compactMap(\.number)
        guard numbers.count == 4, node.array?.count == 4, numbers[2] > 0, numbers[3] > 0,
            numbers.allSatisfy({ abs($0) <= TracePoint.largestCoordinate })
        else {
            report("expected [x, y, width, height] in 'box', with a width and a height above zero", node)
            return nil
        }
        return TraceRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private mutating func curves(_ node: JSONNode) -> [Curve] {
        if let data = node.string {
            do {
                return try SVGPathData.parse(data)
            } catch {
                report("\(error.description) at offset \(error.offset) of the path data", node)
                return []
            }
        }
        let elements = node.array ?? []
        let parts = elements.map { element in
            let numbers = element.array?.dropFirst().compactMap(\.number) ?? []
            let isWhole = numbers.count + 1 == element.array?.count
            return Curve.Part(
                letter: element.array?.first?.string ?? "", numbers: isWhole ? numbers : [])
        }
        if let curve = Curve(parts: parts) { return [curve] }
        let start = Curve.Part(letter: "M", numbers: [0, 0])
        let wrong = parts.indices.first { Curve(parts: $0 == 0 ? [parts[0]] : [start, parts[$0]]) == nil } ?? 0
        let culprit = elements.indices.contains(wrong) ? elements[wrong] : node
        report(
            wrong == 0
                ? "expected a stroke that starts with [\"M\", x, y], or a string of path data"
                : "expected [\"L\", x, y], or \"Q\" with 4, \"C\" with 6 or \"A\" with 7 numbers", culprit)
        return []
    }

    private mutating func order(_ node: JSONNode, strokes: Int) -> StrokeOrder? {
        let steps = (node.array ?? []).flatMap { stroke -> [StrokeOrder.Step?] in
            guard let joined = stroke.array else { return [step(stroke)] }
            return joined.enumerated().map { index, element in
                var step = step(element)
                step?.isJoined = index > 0
                return step
            }
        }
        let order = StrokeOrder(steps.compactMap(\.self))
        guard order.steps.count == steps.count, order.draws(paths: strokes) else {
            report(
                "expected each of \(count(strokes, "stroke")) once, starting at one, negative if drawn backwards",
                node)
            return nil
        }
        return order
    }

    /// Reads the number of a path, or a part of a path as `{"path": 1, "from": 0, "to": 0.5}`.
    private func step(_ node: JSONNode) -> StrokeOrder.Step? {
        let from = node["from"]?.number ?? 0
        let to = node["to"]?.number ?? 1
        let number = node.members == nil ? node.integer : node["path"]?.integer
        guard var step = number.flatMap(StrokeOrder.Step.init(number:)), from >= 0, from < to, to <= 1 else {
            return nil
        }
        step.part = from...to
        return step
    }
}

extension GlyphSet {
    /// The glyph set in JSON, with one stroke per line and full precision.
    var jsonText: String {
        var head = JSONWriter()
        head.object { writer in
            writer.member(GlyphSetReader.mark, Self.format)
            if let name { writer.member("name", name) }
        }
        let glyphs = glyphs.map { "    " + $0.jsonText }
        return head.text.dropLast() + ",\"glyphs\":[\n" + glyphs.joined(separator: ",\n") + "\n]}\n"
    }
}

extension Glyph {
    private static func write(_ stroke: [StrokeOrder.Step], to writer: inout JSONWriter) {
        guard stroke.count == 1 else {
            writer.array { writer in
                for step in stroke { write([step], to: &writer) }
            }
            return
        }
        let step = stroke[0]
        guard step.part != 0...1 else { return writer.value(step.number) }
        writer.object { writer in
            writer.member("path", step.number)
            writer.member("from", step.part.lowerBound)
            writer.member("to", step.part.upperBound)
        }
    }

    fileprivate var jsonText: String {
        var head = JSONWriter()
        head.object { writer in
            writer.member("name", name)
            if !alternatives.isEmpty {
                writer.array("orders") { writer in
                    for order in alternatives {
                        writer.array { writer in
                            for stroke in order.strokes { Self.write(stroke, to: &writer) }
                        }
                    }
                }
            }
            if !writingLines.isEmpty {
                writer.array("lines") { writer in
                    for height in writingLines { writer.value(height) }
                }
            }
            if box != Glyph(name: name, curves: curves).box {
                writer.array("box") { writer in
                    for number in [box.origin.x, box.origin.y, box.size.width, box.size.height] { writer.value(number) }
                }
            }
        }
        let strokes = curves.map { curve in
            var writer = JSONWriter()
            writer.array { writer in
                for part in curve.parts {
                    writer.array { writer in
                        writer.value(part.letter)
                        for number in part.numbers { writer.value(number) }
                    }
                }
            }
            return "      " + writer.text
        }
        return head.text.dropLast() + ",\"strokes\":[\n" + strokes.joined(separator: ",\n") + "\n    ]}"
    }
}
