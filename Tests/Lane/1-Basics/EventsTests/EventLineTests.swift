import Events
import TestSupport
import Testing
import Text

@Suite struct EventLineTests {
    private static let test = TestID(
        library: .swiftTesting, module: "TracerTests", suite: "Paths/Inner", name: "meets(a:b:)")
    private static let place = SourceLocation(path: "Tests/A/B.swift", line: 12, column: 5)

    static let kinds: [LaneEvent.Kind] = [
        .runStarted(
            RunStart(lane: "ci", steps: [.init(id: StepID("ci/1"), name: "build")], startedAt: 1_795_000_000.25)),
        .stepStarted(StepStart(name: "build", action: "run")),
        .stepStarted(
            StepStart(
                name: "b", action: "run", command: "echo \"ü\"", repeatCommand: "lane b --only 1",
                repeatFailedCommand: "lane b --failed", repeatTestsCommand: "lane b -q", log: ".lane/x")
        ),
        .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("zwölf\n\u{0}\u{1B}[1m".utf8))),
        .stepOutput(OutputChunk(stream: .standardError, bytes: [0xFF, 0x00, 0xC3])),
        .stepOutput(OutputChunk(stream: .standardError, bytes: [])),
        .stepRetried(StepRetry(attempt: 1, attempts: 3, reason: "exit status 7", delay: .milliseconds(2500))),
        .stepEnded(StepEnd(name: "a", outcome: .passed, duration: .nanoseconds(1))),
        .stepEnded(StepEnd(name: "a", outcome: .upToDate, duration: .zero, isForgiven: true)),
        .stepEnded(StepEnd(name: "a", outcome: .cancelled, duration: .seconds(86_400 * 99))),
        .stepEnded(StepEnd(name: "a", outcome: .failed(status: -1, message: "one\ntwo"), duration: .seconds(1))),
        .stepEnded(StepEnd(name: "a", outcome: .skipped(reason: "if: false"), duration: .zero)),
        .stepEnded(StepEnd(name: "a", outcome: .timedOut(after: .seconds(60)), duration: .seconds(61))),
        .buildProgress(BuildProgress(finished: 3, total: 40, text: "Compiling Tracer")),
        .buildDiagnostic(
            BuildDiagnostic(.error, "cannot find 'x' in scope", at: place, excerpt: ["1 | x", "  | `- e"])),
        .buildDiagnostic(BuildDiagnostic(.warning, "unused")),
        .test(
            .planned([
                TestInfo(
                    id: test, displayName: "It meets", location: place, isParameterized: true,
                    usualDuration: .seconds(2)),
                TestInfo(id: TestID(library: .xctest, module: "", suite: "C", name: "testA")),
            ])),
        .test(.started(test, attempt: 2, worker: 3)),
        .test(.argumentStarted(test, "(0, \"a\")")),
        .test(.attached(test, path: "a b.png")),
        .test(.issue(TestIssue(test: test, text: "a\nb", at: place, argument: "1", source: ["#expect(", ")"]))),
        .test(.issue(TestIssue(test: nil, severity: .known, text: ""))),
        .test(.output(nil, Array("loose".utf8))),
        .test(.output(test, [0x80])),
        .test(.slow(test, after: .seconds(60))),
        .test(.ended(TestResult(test: test, outcome: .passed, duration: .microseconds(1500)))),
        .test(.ended(TestResult(test: test, outcome: .failed, duration: nil, attempt: 2))),
        .test(.ended(TestResult(test: test, outcome: .skipped(reason: nil), duration: nil))),
        .test(.ended(TestResult(test: test, outcome: .skipped(reason: "later"), duration: .zero))),
        .test(.ended(TestResult(test: test, outcome: .skipped(reason: "a"), duration: nil, isExcused: true))),
        .test(.ended(TestResult(test: test, outcome: .crashed(how: "signal 4 (SIGILL)"), duration: .seconds(1)))),
        .test(.ended(TestResult(test: test, outcome: .timedOut(after: .seconds(5)), duration: .seconds(5)))),
        .test(.ended(TestResult(test: test, outcome: .notRun(reason: "--fail-fast"), duration: nil))),
        .test(
            .counted(
                CountedTests(
                    suite: SuiteID(library: .xctest, module: "M", suite: "C"), passed: 3, failed: 2,
                    duration: .milliseconds(5)))),
        .test(.sharded(TestShard(index: 2, count: 8, total: 20_000, digest: "1x9"))),
        .test(.totals(RunTotals(library: .swiftTesting, suites: 5, duration: .milliseconds(445)))),
        .test(.finished),
        .test(.origin(TestOrigin())),
        .test(.origin(TestOrigin(commit: "9f3c21a", isModified: true, machine: "linux-x86_64"))),
        .message(Message(.warning, "the cache is old", at: SourceLocation(path: "Lanes/a.yml", line: 3))),
        .artifact(Artifact(path: "dist/a.tar.gz", size: 1_234_567, sha256: "ab")),
        .artifact(Artifact(path: "dist/b", size: 0, sha256: nil)),
        .coverage(
            ShardCoverage(
                files: [
                    .init(
                        path: "Sources/A.swift", counts: [3: [2], 4: [2], 5: [0, 3], 9: [0], 10: [7, 7]],
                        changed: [4, 5, 10]),
                    .init(path: "Sources/B.swift", counts: [:]),
                ], threshold: 85, changedThreshold: 0, base: "1f3c0a9d2 of 'main'")),
        .coverage(ShardCoverage(files: [], threshold: nil, changedThreshold: nil, base: nil)),
        .runEnded(RunEnd(status: 143, duration: .milliseconds(12_345))),
    ]

    @Test(arguments: kinds) func decodingRestoresEvents(kind: LaneEvent.Kind) throws {
        let event = LaneEvent(number: 7, offset: .nanoseconds(1_234_567_891), step: StepID("ci/1"), kind: kind)
        var encoder = EventLineEncoder()
        let line = encoder.line(for: event)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(try EventLineDecoder.decode(line) == event)
    }

    @Test func encoderStateIsResetForEachLine() {
        var encoder = EventLineEncoder()
        let event = LaneEvent(number: 1, offset: .zero, step: nil, kind: .test(.finished))
        #expect(encoder.line(for: event) == encoder.line(for: event))
    }

    @Test func formatIsStable() {
        var encoder = EventLineEncoder()
        let end = TestResult(test: Self.test, outcome: .crashed(how: "exit status 3"), duration: .milliseconds(12))
        let line = encoder.line(
            for: LaneEvent(number: 9, offset: .milliseconds(1500), step: StepID("ci/2"), kind: .test(.ended(end))))
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"event":"testEnded","number":9,"at":1.5,"step":"ci/2","test":{"library":"swift-testing",\
                "module":"TracerTests","suite":"Paths/Inner","name":"meets(a:b:)"},"attempt":1,"duration":0.012,\
                "outcome":"crashed","how":"exit status 3"}

                """)
    }

    @Test func unknownMembersAndEventsAreIgnored() throws {
        #expect(try decode(#"{"event":"comet","number":1,"at":0}"#) == nil)
        #expect(
            try decode(#"{"event":"testsFinished","number":1,"at":0,"moon":{}}"#)?.kind == .test(.finished))
    }

    @Test(arguments: [
        (#"{"event":"testsFinished","number":1}"#, "expected a number for 'at', it is missing"),
        (#"{"event":"message","number":1,"at":0,"level":"loud","text":""}"#, "unknown level 'loud'"),
        (
            #"{"event":"stepOutput","number":1,"at":0,"stream":"stdout","text":"","base64":"a"}"#,
            "expected base64 for 'base64', found a string"
        ),
        (#"{"event":"runStarted","number":1,"at":0,"version":2,"lane":"","steps":[]}"#, "expected version 1, found 2"),
        (
            #"{"event":"runEnded","number":1,"at":0,"status":4294967296,"duration":0}"#,
            "expected an exit status for 'status', found a number"
        ),
        (
            #"{"event":"runEnded","number":1,"at":1e300,"status":0,"duration":0}"#,
            "expected seconds within 292 years for 'at', found a number"
        ),
        (coverage("3-2:1"), "expected ranges of lines for 'lines', found '3-2:1'"),
        (coverage("3:-1"), "expected ranges of lines for 'lines', found '3:-1'"),
        (coverage("1-9999999999:1"), "expected ranges of lines for 'lines', found '1-9999999999:1'"),
        (coverage("1:2:3"), "expected ranges of lines for 'lines', found '1:2:3'"),
        (coverage("1:2+"), "expected ranges of lines for 'lines', found '1:2+'"),
        ("{", "expected a name in double quotes at byte 1"),
        ("[]", "expected a string for 'event', it is missing"),
    ])
    func invalidLinesAreReported(line: String, message: String) {
        let error = #expect(throws: EventLineError.self) { try decode(line) }
        #expect(error?.message == message)
    }

    private static func coverage(_ lines: String) -> String {
        #"{"event":"coverage","number":1,"at":0,"files":[{"path":"A.swift","lines":"\#(lines)"}]}"#
    }

    /// Replaces and removes bytes. Decoding must return an event or `nil`, or throw.
    @Test(arguments: 0..<10) func noLineCrashesTheDecoder(seed: UInt64) {
        var encoder = EventLineEncoder()
        var random = SplitMix64(seed: seed)
        for kind in Self.kinds {
            let line = encoder.line(for: LaneEvent(number: 1, offset: .zero, step: nil, kind: kind))
            for _ in 0..<5 {
                var mutant = line
                let index = Int.random(in: mutant.indices, using: &random)
                if Bool.random(using: &random) {
                    mutant.remove(at: index)
                } else {
                    mutant[index] = .random(in: 0...255, using: &random)
                }
                _ = try? EventLineDecoder.decode(mutant)
            }
        }
    }

    @Test func logHasOneLinePerEvent() {
        var lines: [[UInt8]] = []
        let log = EventLog { lines.append($0) }
        for (index, kind) in Self.kinds.enumerated() {
            log.receive(LaneEvent(number: index + 1, offset: .zero, step: nil, kind: kind), RunSummary())
        }
        #expect(lines.compactMap { try? EventLineDecoder.decode($0)?.kind } == Self.kinds)
    }

    private func decode(_ line: String) throws -> LaneEvent? {
        try EventLineDecoder.decode(Array(line.utf8))
    }

    @Test(
        "Numbers that would overflow later are errors",
        arguments: [
            #"{"event":"runStarted","number":1,"at":0,"version":1,"lane":"x","startedAt":1e300,"steps":[]}"#,
            #"{"event":"stepRetried","number":1,"at":0,"step":"x","attempt":9223372036854775807,"attempts":1,"reason":"x","delay":0}"#,
            #"{"event":"buildDiagnostic","number":1,"at":0,"severity":"error","message":"x","location":{"path":"x","line":9223372036854775807}}"#,
        ])
    func largeNumbers(line: String) {
        let error = #expect(throws: EventLineError.self) { try EventLineDecoder.decode(Array(line.utf8)) }
        #expect(error?.message.contains("from 0 to") == true || error?.message.contains("a time") == true)
    }

    @Test func timesOfDistantClocksAreClamped() throws {
        let late = LaneEvent(
            number: 1, offset: .seconds(250_000_000_000), step: nil, kind: .message(Message(.note, "x")))
        var encoder = EventLineEncoder()
        #expect(!encoder.line(for: late).isEmpty)
    }
}
