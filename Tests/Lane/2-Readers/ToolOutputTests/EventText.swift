import Events

/// Events as readable lines. Consecutive output events of a test are merged, because their boundaries depend on the
/// chunks of the input.
struct EventText {
    private(set) var lines: [String] = []
    private var output: (test: TestID?, bytes: [UInt8])?

    mutating func add(_ event: LaneEvent.Kind) {
        if case .test(.output(let test, let bytes)) = event {
            if output?.test != test || output == nil { flush() }
            output = (test, (output?.bytes ?? []) + bytes)
            return
        }
        flush()
        switch event {
        case .test(let event): add(event)
        case .buildProgress(let progress): lines.append("[\(progress.finished)/\(progress.total)] \(progress.text)")
        case .buildDiagnostic(let diagnostic): add(diagnostic)
        case .message(let message): lines.append("message \(message.level.rawValue) \(quoted(message.text))")
        default: lines.append("\(event)")
        }
    }

    mutating func flush() {
        guard let (test, bytes) = output else { return }
        output = nil
        lines.append("output \(name(test)) \(quoted(String(decoding: bytes, as: UTF8.self)))")
    }

    var text: String {
        var copy = self
        copy.flush()
        return copy.lines.map { $0 + "\n" }.joined()
    }

    private mutating func add(_ event: TestEvent) {
        switch event {
        case .planned(let tests):
            lines.append("planned \(tests.count)")
            for test in tests {
                let display = test.displayName.map { " \"\($0)\"" } ?? ""
                lines.append("  \(test.id)\(display)\(place(test.location))\(test.isParameterized ? " cases" : "")")
            }
        case .started(let test, let attempt, let worker):
            lines.append(
                "started \(name(test))\(attempt > 1 ? " attempt \(attempt)" : "")\(worker > 1 ? " worker \(worker)" : "")"
            )
        case .argumentStarted(let test, let argument): lines.append("argument \(name(test)) \(quoted(argument))")
        case .issue(let issue):
            let argument = issue.argument.map { " with \(quoted($0))" } ?? ""
            lines.append(
                "\(issue.severity.rawValue) \(name(issue.test))\(argument)\(place(issue.location)) \(quoted(issue.text))"
            )
        case .attached(let test, let path): lines.append("attached \(name(test)) \(path)")
        case .output: break
        case .slow(let test, let after): lines.append("slow \(name(test)) \(after)")
        case .ended(let result):
            let attempt = result.attempt > 1 ? " attempt \(result.attempt)" : ""
            lines.append(
                "ended \(name(result.test))\(attempt) \(result.outcome) \(result.duration.map { "\($0)" } ?? "-")")
        case .counted(let tests):
            lines.append("passed \(tests.passed), failed \(tests.failed) of \(tests.suite.title) in \(tests.duration)")
        case .sharded(let shard): lines.append("shard \(shard.index) of \(shard.count)")
        case .totals(let totals): lines.append("totals \(totals.suites) suites in \(totals.duration)")
        case .finished: lines.append("finished")
        case .origin(let origin): lines.append("origin \(origin.commit ?? "-") \(origin.machine)")
        }
    }

    private mutating func add(_ diagnostic: BuildDiagnostic) {
        lines.append("\(diagnostic.severity.rawValue)\(place(diagnostic.location)) \(quoted(diagnostic.message))")
        lines += diagnostic.excerpt.map { "  | \($0)" }
    }

    private func name(_ test: TestID?) -> String { test.map { "\($0)" } ?? "-" }

    private func place(_ location: SourceLocation?) -> String {
        guard let location else { return "" }
        return " at \(location.path):\(location.line)\(location.column.map { ":\($0)" } ?? "")"
    }

    private func quoted(_ text: String) -> String { String(reflecting: text) }
}
