import Diagnostics
import LaneModel

/// A step's work as the up-to-date check sees it: what decides its result, and which files it reads and makes.
struct StepWork {
    let step: String
    let root: String
    /// Of everything that decides the result beside the inputs.
    let fingerprint: [UInt8]
    private let inputs: [FilePattern]
    private let outputs: [FilePattern]
    private let inputTexts: [String]
    private let outputTexts: [String]

    /// `nil` for a step without declared inputs or outputs: it always runs.
    init?(
        _ step: PlanStep, _ settings: Settings, in context: EvaluationContext, root: String
    ) throws(Diagnostic) {
        guard !step.inputs.isEmpty || !step.outputs.isEmpty else { return nil }
        self.step = step.id
        self.root = root
        inputTexts = try Self.texts(step.inputs, in: context)
        outputTexts = try Self.texts(step.outputs, in: context)
        inputs = inputTexts.map { FilePattern($0) }
        outputs = outputTexts.map { FilePattern($0) }
        var fingerprint = Fingerprint()
        fingerprint.add(step.action.word)
        fingerprint.add(settings)
        for (name, _) in step.environment { fingerprint.add("\(name)=\(context.environment[name] ?? "")") }
        for text in inputTexts + ["\n"] + outputTexts { fingerprint.add(text) }
        self.fingerprint = fingerprint.digest()
    }

    private static func texts(_ templates: [Template], in context: EvaluationContext) throws(Diagnostic) -> [String] {
        var texts: [String] = []
        for template in templates {
            switch try template.evaluate(in: context) {
            case .list(let values): texts += values.compactMap(\.text)
            case let value: if let text = value.text { texts.append(text) }
            }
        }
        return texts
    }

    /// The files that are a step's inputs now, sorted; its own variables count.
    static func inputPaths(
        of step: PlanStep, in context: EvaluationContext, below root: String
    ) throws(Diagnostic) -> [String] {
        let texts = try texts(step.inputs, in: context.adding(step.environment))
        return Set(texts.flatMap { FilePattern($0).files(below: root) }).sorted()
    }

    /// The inputs as they are now; taken before the step runs, so that what changes meanwhile counts as changed.
    func currentInputs() -> [FileRecord] { records(of: inputs) }

    func currentOutputs() -> [FileRecord] { records(of: outputs) }

    /// Patterns that meet no file: most likely a slip of the pen.
    func unmetInputs() -> [String] {
        zip(inputs, inputTexts).filter { !$0.0.isLiteral && $0.0.files(below: root).isEmpty }.map(\.1)
    }

    /// Outputs that the step did not make.
    func missingOutputs() -> [String] {
        zip(outputs, outputTexts).filter { pattern, _ in
            !pattern.files(below: root).contains { FileStamp("\(root)/\($0)") != nil }
        }.map(\.1)
    }

    /// Why the inputs are not those of the record; where they are the same, the record gets the latest look at them.
    func changedInput(since record: inout StepRecord) -> String? {
        let paths = paths(of: inputs)
        let known = record.inputs.map(\.path)
        if paths != known {
            let (now, before) = (Set(paths), Set(known))
            if let new = paths.first(where: { !before.contains($0) }) { return "'\(new)' is new" }
            return "'\(known.first { !now.contains($0) } ?? "")' is gone"
        }
        return Self.change(in: &record.inputs, below: root)
    }

    /// Why what the step made is not there as it made it.
    func changedOutput(since record: inout StepRecord) -> String? {
        Self.change(in: &record.made, below: root).map { "its output: \($0)" }
    }

    /// What happened to the first file that is not as it was; the others get the latest look at them.
    static func change(in files: inout [FileRecord], below root: String) -> String? {
        for index in files.indices {
            switch files[index].compared(below: root) {
            case .same: break
            case .sameAgain(let fresh): files[index] = fresh
            case .changed: return "'\(files[index].path)' changed"
            case .missing: return "'\(files[index].path)' is gone"
            }
        }
        return nil
    }

    private func paths(of patterns: [FilePattern]) -> [String] {
        if patterns.count == 1 { return patterns[0].files(below: root) }
        return Set(patterns.flatMap { $0.files(below: root) }).sorted()
    }

    private func records(of patterns: [FilePattern]) -> [FileRecord] {
        paths(of: patterns).map { FileRecord($0, below: root) }
    }
}
