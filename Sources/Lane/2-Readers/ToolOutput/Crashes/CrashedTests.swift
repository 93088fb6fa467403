import Events
import Text

/// The tests without an end. The crash reports of their processes are before or after them in the log.
struct CrashedTests: Sendable {
    private struct DeadProcess: Sendable {
        let signal: Int
        /// The names `Module.Class/method` from the command line.
        let tests: [String]
        /// A Boolean value that indicates whether the process ran Swift Testing, or `nil` if the log does not name it.
        let ranSwiftTesting: Bool?
        var isExplained = false
    }

    private struct Crash: Sendable {
        let unfinished: UnfinishedTest
        let isCertain: Bool
        let companions: Int
        let signal: Int?
    }

    private var lines: CrashLines
    /// A report that did not end the process. Its test continued.
    private var earlier: CrashReport?
    private var processes: [DeadProcess] = []
    private var crashes: [Crash] = []

    init(paths: SourcePaths) {
        lines = CrashLines(paths: paths)
    }

    var hasDeadProcess: Bool { !processes.isEmpty }
    private(set) var hasReport = false

    /// Parses a line that may be part of a crash report. Returns `true` for a line that is no output of the test, such
    /// as those of registers.
    mutating func note(_ text: Bytes) -> Bool {
        let wasInReport = lines.isInReport
        guard lines.take(text) else { return false }
        hasReport = true
        return lines.isInReport || wasInReport
    }

    mutating func forgetReport() {
        guard hasReport else { return }
        hasReport = false
        if let report = lines.report, report.hasMessage { earlier = report }
        lines.reset()
    }

    /// Returns and clears the report. In combined streams, the message may precede the start of the test.
    private mutating func takeReport() -> CrashReport? {
        defer { earlier = nil }
        guard let report = lines.report, !report.hasMessage, report.endsInRuntime, let earlier else {
            return lines.report
        }
        return report.withMessage(of: earlier)
    }

    /// Adds the tests that were running when a process ended.
    mutating func add(_ unfinished: [UnfinishedTest], _ emit: (TestEvent) -> Void) {
        guard !unfinished.isEmpty else { return }
        let report = takeReport()
        let culprit = unfinished.count == 1 ? unfinished[0] : unfinished.first { isNamed($0.test, in: report) }
        if let report, let culprit {
            emit(.issue(TestIssue(test: culprit.test, text: report.ownText, at: report.location)))
        } else if let report {
            emit(.issue(TestIssue(test: nil, text: report.ownText, at: report.location)))
        }
        for test in unfinished {
            if let culprit, culprit.test != test.test {
                let reason = "its process crashed in \(culprit.test.name)"
                emit(
                    .ended(
                        TestResult(
                            test: test.test, outcome: .notRun(reason: reason), duration: nil, attempt: test.attempt)))
            } else {
                crashes.append(
                    Crash(
                        unfinished: test, isCertain: culprit != nil, companions: unfinished.count - 1,
                        signal: report?.signal))
            }
        }
        forgetReport()
        if processes.contains(where: { !$0.isExplained }) { explain(emit) }
    }

    private func isNamed(_ test: TestID, in report: CrashReport?) -> Bool {
        guard let report else { return false }
        return report.frames.contains { $0.function == test.name || $0.function.hasSuffix(".\(test.name)") }
    }
}

// MARK: Dead processes

extension CrashedTests {
    static func isProcessEnd(_ text: Bytes) -> Bool {
        text.hasPrefix("error: Process '") && text.firstIndex(of: "' exited with unexpected signal code ") != nil
            || text.hasPrefix(unnamedProcess)
    }

    /// The message of SwiftPM 6.1 and earlier about a process that ended by a signal.
    private static var unnamedProcess: StaticString { "error: Exited with unexpected signal code " }

    /// Parses `error: Process '<binary> <arguments>' exited with unexpected signal code 4`.
    mutating func noteProcess(_ text: Bytes, _ emit: (TestEvent) -> Void) {
        if text.hasPrefix(Self.unnamedProcess), let signal = text.number(at: Self.unnamedProcess.utf8CodeUnitCount) {
            processes.append(DeadProcess(signal: signal.value, tests: [], ranSwiftTesting: nil))
            return explain(emit)
        }
        guard let end = text.firstIndex(of: "' exited with unexpected signal code "),
            let signal = text.number(at: end + 37)
        else { return }
        let command = text.between(16, end)
        let list = command.lastIndex(of: UInt8(ascii: " ")).map { command.from($0 + 1) }
        let names = list?.string.split(separator: ",").map(String.init).filter { $0.contains("/") } ?? []
        let ranSwiftTesting = command.firstIndex(of: "--testing-library swift-testing") != nil
        processes.append(
            DeadProcess(signal: signal.value, tests: ranSwiftTesting ? [] : names, ranSwiftTesting: ranSwiftTesting))
        explain(emit)
    }

    /// Emits the ends of crashed tests whose process is known.
    private mutating func explain(_ emit: (TestEvent) -> Void) {
        for index in processes.indices where !processes[index].isExplained {
            let process = processes[index]
            let matching = crashes.indices.filter { isTest(crashes[$0].unfinished.test, of: process) }
            guard let first = matching.first else { continue }
            let ended = crashes[first].isCertain ? [first] : matching
            for crash in ended { end(crashes[crash], how: Self.name(signal: process.signal), emit) }
            for crash in ended.reversed() { crashes.remove(at: crash) }
            processes[index].isExplained = true
        }
    }

    private func isTest(_ test: TestID, of process: DeadProcess) -> Bool {
        guard let ranSwiftTesting = process.ranSwiftTesting else { return true }
        guard test.library == .xctest else { return ranSwiftTesting }
        let name = "\(test.suite)/\(test.name)"
        return !ranSwiftTesting
            && (process.tests.isEmpty || process.tests.contains { $0 == name || $0.hasSuffix(".\(name)") })
    }

    private func end(_ crash: Crash, how: String, _ emit: (TestEvent) -> Void) {
        let description =
            crash.isCertain ? how : "\(how), one of \(crash.companions + 1) tests that were running"
        let test = crash.unfinished
        emit(
            .ended(
                TestResult(test: test.test, outcome: .crashed(how: description), duration: nil, attempt: test.attempt)))
    }

    /// Emits the ends of the remaining tests, and the end of a process without a running test. Tests of a crashed process
    /// that are not in the log did not run.
    mutating func finish(hasSeen: ([UInt8]) -> Bool, _ emit: (TestEvent) -> Void) {
        if crashes.isEmpty, let process = processes.first, !processes.contains(where: \.isExplained) {
            let text = "the test process ended with \(Self.name(signal: process.signal)) while no test was running"
            emit(.issue(TestIssue(test: nil, text: text)))
        }
        for crash in crashes {
            end(crash, how: crash.signal.map(Self.name) ?? "the process ended during the test", emit)
        }
        crashes = []
        for process in processes {
            for name in process.tests {
                let test = SwiftTestingNames.test(id: name)
                guard !hasSeen(Array("\(test.suite).\(test.name)".utf8)) else { continue }
                let unseen = TestID(library: .xctest, module: "", suite: test.suite, name: test.name)
                let reason = "its process had crashed before"
                emit(.ended(TestResult(test: unseen, outcome: .notRun(reason: reason), duration: nil)))
            }
        }
    }

    /// Returns a name such as `signal 11 (SIGSEGV)`.
    static func name(signal: Int) -> String {
        let names = [
            2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
            11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
        ]
        return names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
    }
}
