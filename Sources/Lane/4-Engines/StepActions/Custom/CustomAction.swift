package import Actions
import Events
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// An action that is an executable in `Lanes/actions`.
///
/// The executable gets one JSON object on standard input, `{"settings": {…}, "directory": …, "root": …, "parameters":
/// {…}}`. It can print JSON lines on standard output: `{"output": {"name": value}}` for later steps, and `{"message":
/// text, "level": "note" | "warning" | "error"}` for users. All other lines are output.
package struct CustomAction: StepAction {
    private let name: String
    private let executable: String?

    /// - Parameter executable: The path of the executable, or `nil` for an executable in `Lanes/actions` of the step's
    ///   directory.
    package init(name: String, executable: String? = nil) {
        self.name = name
        self.executable = executable
    }

    package func summary(of settings: Settings) -> String { name }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let command = Command(
            executable ?? "\(context.directory)/\(ActionDirectory.ownPath)/\(name)", ["run"],
            environment: context.environment, directory: context.workingDirectory,
            input: .bytes(request(settings, context)))
        var parser = ActionOutputParser(context)
        let report = try convertingSpawnErrors(
            of: context.unmasked.run(command, limits: RunLimits()) { parser.append($1, from: $0) })
        parser.finish()
        guard report.succeeded else { throw OperationFailure(report) }
        try StepOutputFile.check(parser.outputs.keys)
        return StepResult(outputs: parser.outputs)
    }

    private func request(_ settings: Settings, _ context: StepContext) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.object("settings") { writer in
                for (name, value) in settings.values.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
            }
            writer.member("directory", context.directory)
            writer.member("root", context.root)
            writer.object("parameters") { writer in
                for (name, value) in context.parameters.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// A parser that splits the output of an executable in `Lanes/actions` into outputs, messages and other lines.
///
/// Secrets are masked in printed lines, but not in outputs, which later steps read.
struct ActionOutputParser {
    /// The maximum size in bytes of a line with an object. A longer line is plain output.
    private static let maximumLineLength = 1 << 24

    private let context: StepContext
    private(set) var outputs: [String: Value] = [:]
    /// The held start of a line that may be an object.
    private var held: [UInt8] = []
    private var isWithinOutput = false
    private var streams: MaskedStreams

    init(_ context: StepContext) {
        self.context = context
        streams = MaskedStreams(context.mask)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        guard source == .standardOutput else {
            return show(bytes, from: .standardError)
        }
        var rest = bytes
        while let first = rest.first {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
            if isWithinOutput || held.isEmpty && first != UInt8(ascii: "{") {
                show(piece)
                isWithinOutput = end == nil
            } else {
                held += piece
                if end != nil || held.count > Self.maximumLineLength { parseHeldLine() }
            }
        }
    }

    mutating func finish() {
        parseHeldLine()
        streams.finish { [context] source, bytes in context.show(bytes, from: source) }
    }

    private mutating func parseHeldLine() {
        guard !held.isEmpty else { return }
        let line = held
        held = []
        guard let node = try? JSONParser.parse(line),
            let members = node["output"]?.members ?? (node["message"]?.string).map({ _ in [] })
        else {
            line.withUnsafeBytes { show($0) }
            isWithinOutput = line.last != UInt8(ascii: "\n")
            return
        }
        for member in members { outputs[member.name] = Value(member.value) }
        if let text = node["message"]?.string {
            let level = node["level"]?.string.flatMap(Message.Level.init(rawValue:)) ?? .note
            context.report(level, text)
        }
    }

    private mutating func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource = .standardOutput) {
        streams.pass(bytes, from: source) { [context] source, bytes in context.show(bytes, from: source) }
    }
}
