import Archives
import Diagnostics
import Files
import LaneModel

/// A step's work as the up-to-date check sees it: what decides its result, and which files it reads and makes.
struct StepWork {
    let step: String
    let root: String
    /// Of everything that decides the result beside the inputs.
    let fingerprint: SHA256Digest
    private let inputs: [FilePattern]
    private let outputs: [FilePattern]

    /// `nil` for a step without declared inputs or outputs: it always runs.
    static func of(
        _ step: PlanStep, _ settings: Settings, in context: EvaluationContext, root: String
    ) throws(Diagnostic) -> StepWork? {
        guard !step.files.isEmpty else { return nil }
        let inputs = try patterns(step.files.inputs, in: context)
        let outputs = try patterns(step.files.outputs, in: context)
        var fingerprint = Fingerprint()
        fingerprint.add(step.task.action.word)
        fingerprint.add(settings)
        for (name, _) in step.task.environment { fingerprint.add("\(name)=\(context.environment[name] ?? "")") }
        for pattern in inputs { fingerprint.add(pattern.text) }
        fingerprint.add("\n")
        for pattern in outputs { fingerprint.add(pattern.text) }
        return StepWork(
            step: step.id, root: root, fingerprint: fingerprint.digest(), inputs: inputs, outputs: outputs)
    }

    private static func patterns(
        _ templates: [Template], in context: EvaluationContext
    ) throws(Diagnostic) -> [FilePattern] {
        var patterns: [FilePattern] = []
        patterns.reserveCapacity(templates.count)
        for template in templates {
            if let text = template.constant {
                patterns.append(FilePattern(text))
                continue
            }
            switch try template.evaluate(in: context) {
            case .list(let values): for case let text? in values.map(\.text) { patterns.append(FilePattern(text)) }
            case let value: if let text = value.text { patterns.append(FilePattern(text)) }
            }
        }
        return patterns
    }

    /// The files that are a step's inputs now, sorted; its own variables count.
    static func inputPaths(
        of step: PlanStep, in context: EvaluationContext, below root: String
    ) throws(Diagnostic) -> [String] {
        let patterns = try patterns(step.files.inputs, in: context.adding(step.task.environment))
        return distinctPaths(patterns.flatMap { $0.files(below: root, followsLinks: true) })
    }

    /// The inputs as they are now; taken before the step runs, so that what changes meanwhile counts as changed.
    func currentInputs() -> [FileRecord] { records(of: inputs) }

    func currentOutputs() -> [FileRecord] { records(of: outputs) }

    /// Patterns that meet no file: most likely a slip of the pen.
    func unmetInputs() -> [String] {
        inputs.filter { !$0.isLiteral && $0.files(below: root).isEmpty }.map(\.text)
    }

    /// Outputs that the step did not make.
    func missingOutputs() -> [String] {
        outputs.filter { pattern in
            !pattern.files(below: root).contains { FileStamp(path($0, below: root)) != nil }
        }.map(\.text)
    }

    /// Why the inputs are not those of the record; where they are the same, the record gets the latest look at them.
    func changedInput(since record: inout StepRecord, in root: RootFolder) -> String? {
        if namesUnchanged(record, in: root) { return nil }
        let paths = paths(of: inputs)
        let known = record.inputs.map(\.path)
        if paths != known {
            let (now, before) = (Set(paths), Set(known))
            if let new = paths.first(where: { !before.contains($0) }) { return "'\(new.readablePath)' is new" }
            return "'\(known.first { !now.contains($0) }?.readablePath ?? "")' is gone"
        }
        return Self.change(in: &record.inputs, below: root)
    }

    /// Whether the inputs are the record's files by their names, each as it was: then no folder has to be looked at.
    private func namesUnchanged(_ record: StepRecord, in root: RootFolder) -> Bool {
        let files = record.inputs
        guard files.count == inputs.count else { return false }
        return files.indices.allSatisfy { index in
            guard files[index].path == inputs[index].literal, !files[index].stamp.isDirectory else { return false }
            return files[index].isUnchanged(in: root)
        }
    }

    /// Why what the step made is not there as it made it.
    func changedOutput(since record: inout StepRecord, in root: RootFolder) -> String? {
        Self.change(in: &record.made, below: root).map { "its output: \($0)" }
    }

    /// What happened to the first file that is not as it was; the others get the latest look at them.
    static func change(in files: inout [FileRecord], below root: RootFolder) -> String? {
        for index in files.indices {
            switch files[index].compared(in: root) {
            case .same: break
            case .sameAgain(let fresh): files[index] = fresh
            case .changed: return "'\(files[index].path.readablePath)' changed"
            case .missing: return "'\(files[index].path.readablePath)' is gone"
            }
        }
        return nil
    }

    private func paths(of patterns: [FilePattern]) -> [String] {
        if patterns.count == 1 { return patterns[0].files(below: root, followsLinks: true) }
        return distinctPaths(patterns.flatMap { $0.files(below: root, followsLinks: true) })
    }

    private func records(of patterns: [FilePattern]) -> [FileRecord] {
        paths(of: patterns).map { FileRecord($0, below: root) }
    }
}
