import Text

extension TestEvent {
    var word: String {
        switch self {
        case .sharded: "testsSharded"
        case .planned: "testsPlanned"
        case .started: "testStarted"
        case .argumentStarted: "testArgument"
        case .issue: "testIssue"
        case .attached: "testAttachment"
        case .output: "testOutput"
        case .slow: "testSlow"
        case .ended: "testEnded"
        case .counted: "testsCounted"
        case .totals: "testTotals"
        case .finished: "testsFinished"
        case .origin: "testsOrigin"
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .sharded(let shard):
            writer.member("index", shard.index)
            writer.member("count", shard.count)
            writer.member("total", shard.total)
            writer.member("digest", shard.digest)
        case .planned(let tests):
            writer.array("tests") { writer in
                for test in tests { writer.object { test.write(to: &$0) } }
            }
        case .started(let test, let attempt, let worker):
            writer.member("test", test)
            writer.member("attempt", attempt)
            writer.member("worker", worker)
        case .argumentStarted(let test, let argument):
            writer.member("test", test)
            writer.member("argument", argument)
        case .issue(let issue): issue.write(to: &writer)
        case .attached(let test, let path):
            writer.member("test", test)
            writer.member("path", path)
        case .output(let test, let bytes):
            if let test { writer.member("test", test) }
            writer.output(bytes)
        case .slow(let test, let after):
            writer.member("test", test)
            writer.member("after", after)
        case .ended(let result): result.write(to: &writer)
        case .counted(let tests):
            writer.member("library", tests.suite.library.rawValue)
            writer.member("module", tests.suite.module)
            writer.member("suite", tests.suite.suite)
            writer.member("passed", tests.passed)
            writer.member("failed", tests.failed)
            writer.member("duration", tests.duration)
        case .totals(let totals):
            writer.member("library", totals.library.rawValue)
            writer.member("suites", totals.suites)
            writer.member("duration", totals.duration)
        case .finished: break
        case .origin(let origin):
            writer.optional("commit", origin.commit)
            if origin.isModified { writer.member("modified", true) }
            writer.member("machine", origin.machine)
        }
    }
}

extension TestInfo {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("test", id)
        writer.optional("displayName", displayName)
        writer.optional("location", location)
        if isParameterized { writer.member("parameterized", true) }
        if let usualDuration { writer.member("usualDuration", usualDuration) }
    }
}

extension TestIssue {
    fileprivate func write(to writer: inout JSONWriter) {
        if let test { writer.member("test", test) }
        writer.member("severity", severity.rawValue)
        writer.member("text", text)
        writer.optional("location", location)
        writer.optional("argument", argument)
        if !source.isEmpty { writer.member("source", source) }
    }
}

extension TestResult {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("test", test)
        writer.member("attempt", attempt)
        if let duration { writer.member("duration", duration) }
        switch outcome {
        case .passed: writer.member("outcome", "passed")
        case .failed: writer.member("outcome", "failed")
        case .skipped(let reason):
            writer.member("outcome", "skipped")
            writer.optional("reason", reason)
            if isExcused { writer.member("excused", true) }
        case .crashed(let how):
            writer.member("outcome", "crashed")
            writer.member("how", how)
        case .timedOut(let limit):
            writer.member("outcome", "timedOut")
            writer.member("after", limit)
        case .notRun(let reason):
            writer.member("outcome", "notRun")
            writer.member("reason", reason)
        }
    }
}

extension JSONWriter {
    mutating func optional(_ name: String, _ value: String?) {
        if let value { member(name, value) }
    }

    mutating func optional(_ name: String, _ location: SourceLocation?) {
        guard let location else { return }
        object(name) { writer in
            writer.member("path", location.path)
            writer.member("line", location.line)
            if let column = location.column { writer.member("column", column) }
        }
    }

    mutating func member(_ name: String, _ duration: Duration) {
        member(name, Double(duration.nanoseconds) / 1e9)
    }

    mutating func member(_ name: String, _ test: TestID) {
        object(name) { writer in
            writer.member("library", test.library.rawValue)
            writer.member("module", test.module)
            writer.member("suite", test.suite)
            writer.member("name", test.name)
        }
    }

    mutating func output(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            member("text", text)
        } else {
            member("text", String(decoding: bytes, as: UTF8.self))
            member("base64", Base64.encode(bytes))
        }
    }
}

extension Duration {
    /// The duration in nanoseconds. A `Double` of seconds represents them exactly up to one hundred days.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        // The times of two machines can differ by more than the 292 years of 64 bits.
        guard abs(seconds) < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + (attoseconds + 500_000_000) / 1_000_000_000
    }
}
