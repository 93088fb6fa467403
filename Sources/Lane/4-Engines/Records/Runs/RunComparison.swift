package import Events
package import Text

/// The differences between two runs, such as before and after a change.
package struct RunComparison: Sendable, Equatable {
    /// A test or a step that fails.
    package struct Failure: Sendable, Equatable {
        package let name: String
        /// The first line of the reason.
        let reason: String
    }

    /// A test or a step whose duration has grown.
    struct Slowdown: Sendable, Equatable {
        let name: String
        let before: Duration
        let after: Duration
    }

    /// A step whose output differs.
    package struct OutputChange: Sendable, Equatable {
        /// The ID of the step.
        let step: String
        /// The number of the first line that differs, starting at 1.
        package let line: Int
        /// The line in the first run, or `nil` at the end of the output.
        let before: String?
        package let after: String?
    }

    /// The tests and steps that fail now and did not fail before.
    package private(set) var newlyFailing: [Failure] = []
    /// The names of tests and steps that failed before and pass now.
    package private(set) var fixed: [String] = []
    /// The names of tests and steps that fail in both runs.
    package private(set) var stillFailing: [String] = []
    /// The tests and steps that take at least 1.5 times as long and 0.1 s more, slowest first.
    private(set) var slower: [Slowdown] = []
    /// The names of tests that are only in the second run.
    private(set) var added: [String] = []
    /// The names of tests that are only in the first run.
    private(set) var removed: [String] = []
    /// The outputs that differ, without those of builds and tests.
    package private(set) var outputs: [OutputChange] = []

    /// A Boolean value that indicates whether a test or a step is in both runs.
    package private(set) var hasCommonParts = false

    /// A Boolean value that indicates whether there is no difference. Failures in both runs are not a difference.
    package var isEmpty: Bool {
        newlyFailing.isEmpty && fixed.isEmpty && slower.isEmpty && added.isEmpty && removed.isEmpty && outputs.isEmpty
    }

    /// Compares the events of two runs.
    package init(before: [LaneEvent], after: [LaneEvent]) {
        let (old, new) = (RunFacts(before), RunFacts(after))
        hasCommonParts =
            new.tests.keys.contains { old.tests[$0] != nil } || new.steps.keys.contains { old.steps[$0] != nil }
        for (name, fact) in new.tests.sorted(by: { $0.key < $1.key }) {
            if let earlier = old.tests[name] { compare(name, earlier, fact) } else { add(name, fact) }
        }
        // After a run without tests, such as a build, all tests would be new.
        if old.tests.isEmpty { added = [] }
        if !new.tests.isEmpty { removed = old.tests.keys.filter { new.tests[$0] == nil }.sorted() }
        for (name, fact) in new.steps.sorted(by: { $0.key < $1.key }) {
            guard let earlier = old.steps[name] else { continue }
            compare("step \(name)", earlier, fact)
            if let change = Self.change(of: name, old.outputs[name] ?? [], new.outputs[name] ?? []) {
                outputs.append(change)
            }
        }
        slower.sort { $0.after - $0.before > $1.after - $1.before }
    }

    private mutating func add(_ name: String, _ fact: RunFacts.Fact) {
        added.append(name)
        if let reason = fact.failure { newlyFailing.append(Failure(name: name, reason: reason)) }
    }

    private mutating func compare(_ name: String, _ before: RunFacts.Fact, _ after: RunFacts.Fact) {
        switch (before.failure, after.failure) {
        case (nil, let reason?): newlyFailing.append(Failure(name: name, reason: reason))
        case (_?, nil): fixed.append(name)
        case (_?, _?): stillFailing.append(name)
        case (nil, nil):
            guard let old = before.duration, let new = after.duration, new >= old * 1.5,
                new - old >= .milliseconds(100)
            else { return }
            slower.append(Slowdown(name: name, before: old, after: new))
        }
    }

    private static func change(of step: String, _ before: [UInt8], _ after: [UInt8]) -> OutputChange? {
        guard before != after else { return nil }
        let (old, new) = (lines(of: before), lines(of: after))
        let index =
            zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        return OutputChange(
            step: step, line: index + 1, before: index < old.count ? old[index] : nil,
            after: index < new.count ? new[index] : nil)
    }

    private static func lines(of output: [UInt8]) -> [String] {
        var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The results of a run by the names of its tests and steps.
private struct RunFacts {
    struct Fact {
        /// The first line of the reason for a failure.
        var failure: String?
        var duration: Duration?
    }

    var tests: [String: Fact] = [:]
    var steps: [String: Fact] = [:]
    var outputs: [String: [UInt8]] = [:]

    init(_ events: [LaneEvent]) {
        var summary = RunSummary()
        for event in events {
            summary.receive(event)
            if case .stepOutput(let chunk) = event.kind, let step = event.step {
                outputs[step.description, default: []] += chunk.bytes
            }
        }
        var failedByTests: Set<StepID> = []
        for (step, test) in summary.tests(where: { _ in true }) {
            guard let outcome = test.outcome else { continue }
            if outcome.isFailure, let step { failedByTests.insert(step) }
            let text = test.attempts.last?.failures.first?.text
            tests[test.id.description] = Fact(
                failure: outcome.isFailure ? firstLine(of: text ?? outcome.reason) : nil, duration: test.duration)
        }
        for step in summary.steps {
            guard let end = step.end else { continue }
            // The outputs of builds and tests differ in each run.
            if step.start.map({ ["build", "test"].contains($0.action) }) != false {
                outputs[step.id.description] = nil
            }
            // The failure of a step because of its tests is not another failure.
            let failure = failedByTests.contains(step.id) ? nil : Self.failure(of: end.outcome)
            steps[step.id.description] = Fact(failure: failure, duration: end.duration)
        }
    }

    private static func failure(of outcome: StepEnd.Outcome) -> String? {
        switch outcome {
        case .failed(_, let message): firstLine(of: message)
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .passed, .skipped, .upToDate: nil
        }
    }
}

extension TestResult.Outcome {
    fileprivate var reason: String {
        switch self {
        case .crashed(let how): "crashed: \(how)"
        case .timedOut: "timed out"
        case .notRun(let reason): "not run: \(reason)"
        case .passed, .failed, .skipped: "failed"
        }
    }
}

extension RunComparison {
    /// Returns the differences as text, with a section for each kind.
    package func text(style: TextStyle) -> String {
        guard !isEmpty || !stillFailing.isEmpty else { return "no differences\n" }
        let arrow = style.symbol("→", orElse: "->")
        var text = ""
        func section(_ title: String, _ lines: [String]) {
            guard !lines.isEmpty else { return }
            if !text.isEmpty { text += "\n" }
            text += style.apply(.bold, to: "\(title) (\(lines.count))") + "\n"
            for line in lines { text += "  " + TerminalText.printable(TerminalText.sanitized(line)) + "\n" }
        }
        let bad = style.apply(.red, to: style.symbol("✘", orElse: "x"))
        let good = style.apply(.green, to: style.symbol("✔", orElse: "+"))
        section("Newly failing", newlyFailing.map { "\($0.name): \($0.reason)" })
        section("Fixed", fixed)
        section("Still failing", stillFailing)
        section("Slower", slower.map { "\($0.before.text) \(arrow) \($0.after.text)  \($0.name)" })
        section(
            "Other output",
            outputs.map { "step \($0.step), line \($0.line): \($0.before.quoted) \(arrow) \($0.after.quoted)" })
        section("New tests", added)
        section("Removed tests", removed)
        let verdict = newlyFailing.isEmpty ? good : bad
        let counts = [
            (newlyFailing.count, "newly failing"), (stillFailing.count, "still failing"), (fixed.count, "fixed"),
            (slower.count, "slower"),
        ]
        return text + "\n\(verdict) " + counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "\n"
    }
}

extension String? {
    /// The line in quotation marks, or a word for the end of the output.
    fileprivate var quoted: String { map { "'\($0)'" } ?? "the end" }
}
