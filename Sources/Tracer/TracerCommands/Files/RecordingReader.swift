import OperatingSystem
import Text
import Tracer

/// A reader of recordings in JSON, which reports errors with their source locations.
struct RecordingReader {
    private let source: SourceFile
    private var problems = Diagnostics()

    /// The maximum number of reported errors for a file.
    private static let maximumProblems = 10

    private init(_ source: SourceFile) {
        self.source = source
    }

    /// Reads a file.
    ///
    /// - Throws: ``Failure`` with status 66 for a file that cannot be read, and 65 for an invalid recording.
    static func read(_ path: String) throws -> Recording {
        do {
            return try parse(SourceFile(path: path, bytes: readInput(path)))
        } catch let error as FileError {
            throw Failure("\(error)", status: .fileNotFound)
        }
    }

    static func parse(_ source: SourceFile) throws -> Recording {
        var reader = RecordingReader(source)
        do {
            let node = try JSONParser.parse(source.bytes)
            let recording = reader.recording(node)
            if !reader.problems.hasErrors, let recording { return recording }
        } catch let error {
            let span = Span(file: source, range: error.offset..<error.offset)
            reader.problems.error("invalid JSON: \(error.message)", at: span)
        }
        throw Failure(reader.problems)
    }

    private mutating func report(_ message: String, _ node: JSONNode, hint: String? = nil) {
        guard problems.all.count < Self.maximumProblems else { return }
        problems.error(message, at: Span(file: source, range: node.range), hint: hint)
    }

    private static let fields = ["tracer", "letter", "width", "height", "threshold", "strokes"]

    private mutating func recording(_ node: JSONNode) -> Recording? {
        guard let members = node.members else {
            report("expected an object with a recording, found \(node.kind)", node)
            return nil
        }
        for member in members where !Self.fields.contains(member.name) {
            let hint = nearest(to: member.name, among: Self.fields).map { "did you mean '\($0)'?" }
            problems.error(
                "unknown field '\(member.name)'", at: Span(file: source, range: member.nameRange), hint: hint)
        }
        for name in Self.fields where name != "letter" && node[name] == nil {
            report(
                "the field '\(name)' is missing",
                JSONNode(.null, range: node.range.lowerBound..<node.range.lowerBound + 1))
        }
        if let format = node["tracer"], format.integer != Recording.format {
            report("expected format \(Recording.format) in 'tracer', found \(text(of: format))", format)
        }
        if let letter = node["letter"], letter.string == nil {
            report("expected a string in 'letter', found \(letter.kind)", letter)
        }
        let width = positive("width", in: node)
        let height = positive("height", in: node)
        let threshold = positive("threshold", in: node)
        let strokes = strokes(in: node)
        guard let width, let height, let threshold, let strokes else { return nil }
        return Recording(
            letter: node["letter"]?.string, size: TraceSize(width, height), threshold: threshold, strokes: strokes)
    }

    private func text(of node: JSONNode) -> String {
        node.members == nil && node.array == nil ? source.text(in: node.range) : node.kind
    }

    private mutating func positive(_ name: String, in node: JSONNode) -> Double? {
        guard let field = node[name] else { return nil }
        guard let number = field.number, number > 0, number <= TracePoint.largestCoordinate else {
            report("expected a number above zero in '\(name)', found \(text(of: field))", field)
            return nil
        }
        return number
    }

    private mutating func strokes(in node: JSONNode) -> [Recording.Stroke]? {
        guard let field = node["strokes"] else { return nil }
        guard let elements = field.array else {
            report("expected a list of strokes in 'strokes', found \(field.kind)", field)
            return nil
        }
        var strokes: [Recording.Stroke] = []
        for (number, element) in elements.enumerated() {
            guard let samples = element.array else {
                report("expected a list of points in stroke \(number + 1), found \(element.kind)", element)
                continue
            }
            strokes.append(Recording.Stroke(samples: samples.compactMap { sample($0, stroke: number) }))
        }
        return strokes
    }

    private mutating func sample(_ node: JSONNode, stroke: Int) -> Recording.Sample? {
        let name = "stroke \(stroke + 1)"
        guard let parts = node.array, parts.count == 2 || parts.count == 3 else {
            let found = node.array.map { "a list of \($0.count)" } ?? node.kind
            report("expected [x, y] or [x, y, seconds] in \(name), found \(found)", node)
            return nil
        }
        let numbers = parts.compactMap(\.number)
        guard numbers.count == parts.count else {
            let wrong = parts.first { $0.number == nil } ?? node
            report("expected a number in \(name), found \(wrong.kind)", wrong)
            return nil
        }
        let point = TracePoint(numbers[0], numbers[1])
        guard point.isUsable else {
            report("expected coordinates up to \(TracePoint.largestCoordinate) in \(name)", node)
            return nil
        }
        return Recording.Sample(point, time: numbers.count > 2 ? numbers[2] : 0)
    }
}
