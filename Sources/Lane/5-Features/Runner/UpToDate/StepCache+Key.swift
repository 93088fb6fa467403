import Archives
import CLibrary
package import Expressions
package import LaneModel
package import OperatingSystem
import Text

extension StepCache {
    /// The key of a step in the cache: a fingerprint of its settings, and the patterns of its files.
    struct Key {
        let step: String
        let root: String
        /// The digest of all factors of the result except the input files.
        let fingerprint: SHA256Digest
        private let inputs: [FilePattern]
        /// The inputs that must match a file.
        private let required: [FilePattern]
        private let outputs: [FilePattern]

        /// Returns the key of a step, or `nil` if the step declares no inputs or outputs and always runs.
        ///
        /// - Parameters:
        ///   - variables: The environment variables that earlier steps have set.
        ///   - secret: The key of the fingerprint if values may be secrets.
        static func of(
            _ step: PlanStep, _ settings: Settings, in context: EvaluationContext, variables: [String: String] = [:],
            root: String, secret: [UInt8]?
        ) throws(Diagnostic) -> Key? {
            guard !step.files.isEmpty else { return nil }
            var inputs = try patterns(step.files.inputs, in: context)
            let optional = step.files.optionalInputs
            let required =
                optional.isEmpty
                ? inputs
                : try patterns(
                    step.files.inputs.indices.filter { !optional.contains($0) }.map { step.files.inputs[$0] },
                    in: context)
            if let program = program(of: step.task.action, below: root) { inputs.append(FilePattern(program)) }
            let outputs = try patterns(step.files.outputs, in: context)
            var fingerprint = Fingerprint()
            if let secret { fingerprint.add(secret.hexString) }
            fingerprint.add(step.task.action.name)
            fingerprint.add(settings)
            for (name, value) in variables.sorted(by: { $0.key < $1.key }) { fingerprint.add("\(name)=\(value)") }
            for (name, _) in step.task.environment { fingerprint.add("\(name)=\(context.environment[name] ?? "")") }
            if let directory = try step.task.directory?.evaluate(in: context) { fingerprint.add(directory) }
            for name in step.task.secrets.sorted() { fingerprint.add("\(name)=\(context.environment[name] ?? "")") }
            for pattern in inputs { fingerprint.add(pattern.text) }
            fingerprint.add("\n")
            for pattern in outputs { fingerprint.add(pattern.text) }
            return Key(
                step: step.id, root: root, fingerprint: fingerprint.digest(), inputs: inputs, required: required,
                outputs: outputs)
        }

        /// Returns the path of a file that changes with the program of a custom action: the program, or for one of another
        /// repository, the description that is kept with its digest.
        private static func program(of action: ActionKind, below root: String) -> String? {
            guard case .custom(let name) = action else { return nil }
            return ["Lanes/actions/\(name)", ".lane/actions/\(name)"].first { fileExists("\(root)/\($0)") }
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

        /// Returns the patterns of a step's inputs. Patterns can use the step's variables.
        static func inputPatterns(of step: PlanStep, in context: EvaluationContext) throws(Diagnostic) -> [FilePattern]
        {
            try patterns(step.files.inputs, in: context.adding(step.task.environment))
        }

        /// Returns the current input files of a step, sorted.
        static func inputPaths(
            of step: PlanStep, in context: EvaluationContext, below root: String
        ) throws(Diagnostic) -> [String] {
            let patterns = try inputPatterns(of: step, in: context)
            return distinctPaths(patterns.flatMap { $0.files(below: root, followsLinks: true) })
        }

        /// Returns records of the current inputs. Call it before the step runs to detect changes during the run.
        func currentInputs() -> [FileRecord] { records(of: inputs) }

        /// Returns records of the current outputs.
        func currentOutputs() -> [FileRecord] { records(of: outputs) }

        /// Returns the inputs that match no file and are not optional. They are probably misspelled, and the step would
        /// be up to date for ever.
        func unmatchedInputs() -> [String] {
            required.filter { pattern in
                if let literal = pattern.literal { return fileKind(path(literal, relativeTo: root)) == nil }
                return pattern.files(below: root, followsLinks: true).isEmpty
            }.map(\.text)
        }

        /// Returns the output patterns that match no file.
        func missingOutputs() -> [String] {
            outputs.filter { pattern in
                !pattern.files(below: root).contains { FileStamp(path($0, relativeTo: root)) != nil }
            }.map(\.text)
        }

        /// Returns a description of the first changed input since the record was created, or `nil` if there is none.
        /// Updates the record with new stamps of unchanged files.
        func changedInput(since record: inout Record, in root: RootDirectory) -> String? {
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

        /// Returns a Boolean value that indicates whether the inputs are literal paths, equal those of the record, and have
        /// unchanged stamps. In this case, no directory needs to be listed.
        private func namesUnchanged(_ record: Record, in root: RootDirectory) -> Bool {
            let files = record.inputs
            guard files.count == inputs.count else { return false }
            return files.indices.allSatisfy { index in
                guard files[index].path == inputs[index].literal, !files[index].stamp.isDirectory else { return false }
                return files[index].isUnchanged(in: root)
            }
        }

        /// Returns a description of the first changed output, or `nil` if there is none.
        func changedOutput(since record: inout Record, in root: RootDirectory) -> String? {
            Self.change(in: &record.outputs, below: root).map { "its output \($0)" }
        }

        /// Returns a description of the first changed file, or `nil` if there is none. Updates the stamps of unchanged
        /// files.
        static func change(in files: inout [FileRecord], below root: RootDirectory) -> String? {
            for index in files.indices {
                switch files[index].compared(in: root) {
                case .same: break
                case .touched(let fresh): files[index] = fresh
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
}

extension Plan {
    /// Returns the patterns of the files that the plan declares: the inputs of its steps, and the dotenv files of its
    /// lanes. Omits inputs that depend on results of steps.
    package func declaredFiles(in context: EvaluationContext) -> [FilePattern] {
        let inputs = steps.flatMap { step in
            (try? StepCache.Key.inputPatterns(of: step, in: self.context(of: step, from: context))) ?? []
        }
        return inputs + groups.flatMap(\.dotenv).map { FilePattern($0.path) }
    }
}

/// The key of digests that cover secrets, in `.lane/key`. Without the key, a digest cannot be compared with those of
/// guessed secrets.
enum StateKey {
    /// Reads the key. Without a key, returns a new one, which is written if `isCreated` is `true`. If it is not written,
    /// no digest matches later.
    static func read(root: String, isCreated: Bool = true) -> [UInt8] {
        let path = "\(root)/.lane/key"
        if let key = try? readFile(path), !key.isEmpty { return key }
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        guard isCreated else { return key }
        try? makeDirectories("\(root)/.lane")
        let descriptor = withSystemPath(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return key }
        defer { close(descriptor) }
        key.withUnsafeBytes { bytes in _ = try? writeAll(bytes, to: descriptor, named: path) }
        return key
    }
}
