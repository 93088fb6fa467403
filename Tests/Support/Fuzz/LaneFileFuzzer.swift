import Expressions
import LaneFixtures
import LaneModel
import Text
import YAML

/// The function that libFuzzer calls with each input; `ci/fuzz` builds it. The first byte selects the parser of the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let reader = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch reader {
    case UInt8(ascii: "y"): readYAML(rest)
    case UInt8(ascii: "e"): readExpression(rest)
    case UInt8(ascii: "j"): readJSON(rest)
    case UInt8(ascii: "d"): check(DotEnv.parse(SourceFile(path: ".env", bytes: rest)).diagnostics)
    case UInt8(ascii: "a"):
        check(ActionDescription.parse(SourceFile(path: "a", bytes: rest), name: "a", builtIn: []).diagnostics)
    default: readLanes(rest)
    }
    return 0
}

/// Checks that the locations are in their files, and formats the messages.
private func check(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.all {
        guard let span = diagnostic.span else { continue }
        precondition(span.range.upperBound <= span.file.bytes.count, "a location outside its file")
    }
    _ = DiagnosticText().text(for: diagnostics)
}

private func readYAML(_ bytes: [UInt8]) {
    let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", bytes: bytes))
    check(diagnostics)
    guard let node, !diagnostics.hasErrors else { return }
    let again = YAMLParser.parse(SourceFile(path: "again.yml", text: YAMLWriter.text(of: node)))
    precondition(again.node.map { isSame($0, node) } ?? node.isNull, "the parser does not read what the writer wrote")
}

private func isSame(_ one: YAMLNode, _ other: YAMLNode) -> Bool {
    switch (one.content, other.content) {
    case (.scalar(let left), .scalar(let right)): left.text == right.text
    case (.sequence(let left), .sequence(let right)): left.elementsEqual(right, by: isSame)
    case (.mapping(let left), .mapping(let right)):
        left.elementsEqual(right) { $0.name == $1.name && isSame($0.value, $1.value) }
    default: false
    }
}

private func readExpression(_ bytes: [UInt8]) {
    guard let expression = try? Expression(condition: .text(String(decoding: bytes, as: UTF8.self))) else { return }
    _ = try? expression.evaluate(in: context)
    _ = expression.contexts
}

private func readJSON(_ bytes: [UInt8]) {
    guard let node = try? JSONParser.parse(bytes) else { return }
    var writer = JSONWriter()
    write(node, to: &writer)
    precondition((try? JSONParser.parse(writer.bytes)) != nil, "the parser does not read what the writer wrote")
}

private func write(_ node: JSONNode, to writer: inout JSONWriter) {
    switch node.content {
    case .null: writer.null()
    case .bool(let value): writer.value(value)
    case .integer(let value): writer.value(value)
    case .number(let value): writer.value(value)
    case .string(let value): writer.value(value)
    case .array(let elements):
        writer.array { writer in
            for element in elements { write(element, to: &writer) }
        }
    case .object(let members):
        writer.object { writer in
            for member in members {
                writer.name(member.name)
                write(member.value, to: &writer)
            }
        }
    }
}

/// Lane files one after another with a NUL between them: a, b, c and a file to include.
private func readLanes(_ bytes: [UInt8]) {
    let names = ["a", "b", "c", "_x"]
    let sources = zip(names, bytes.split(separator: 0, maxSplits: 3)).map { name, text in
        SourceFile(path: "Lanes/\(name).yml", bytes: Array(text))
    }
    let files = LaneFiles.check(sources, with: .samples)
    check(files.diagnostics)
    guard !files.diagnostics.hasErrors else { return }
    for lane in files.lanes where !lane.isPrivate {
        guard let plan = try? Planner(files).plan(lane: lane.name) else { continue }
        for (index, step) in plan.steps.prefix(100).enumerated() {
            precondition(step.schedule.dependencies.allSatisfy { $0 < index }, "a step before its dependency")
            _ = try? step.task.settings.evaluate(in: context)
            _ = try? step.schedule.condition?.evaluate(in: context)
        }
    }
}

private let context = EvaluationContext(
    parameters: ["a": .string("x"), "b": .bool(true), "c": .integer(1), "d": .list([.string("y"), .null])],
    environment: ["A": "1"], steps: ["s": ["o": .map([("k", .integer(2))])]], matrix: ["m": .string("z")])
