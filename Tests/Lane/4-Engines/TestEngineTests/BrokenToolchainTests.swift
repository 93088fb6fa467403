import Events
import OperatingSystem
import Synchronization
import TestSupport
import Testing
import Text

@testable import TestEngine

/// Tests of builds that the toolchain rejects, and of binaries that cannot be started or listed.
@Suite struct BrokenToolchainTests {
    private let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        try place.write("binary", to: ".build/debug/P.xctest")
        try place.write(
            #"{"builtTestProducts" : [ {"binaryPath" : "\#(place.path)/.build/debug/P.xctest"} ]}"#,
            to: ".build/debug/description.json")
    }

    private func engine(
        _ tool: OneAnswer, _ change: (inout TestOptions) -> Void = { _ in },
        told: @escaping @Sendable (LaneEvent.Kind) -> Void = { _ in }
    ) -> TestEngine {
        var options = TestOptions()
        options.throughSwiftTest = false
        change(&options)
        return TestEngine(
            options: options, package: place.path, environment: [:], processes: tool, cancellation: Cancellation(),
            history: nil, events: EventClosure(told))
    }

    @Test func aSanitizerThatTheToolchainLacksIsRefused() throws {
        let reason = "unsupported option '-sanitize=undefined' for target 'x86_64-unknown-linux-gnu'"
        let tool = OneAnswer(status: 1, errors: "error: \(reason)\nerror: fatalError\n")
        let failure = #expect(throws: TestEngineFailure.noSanitizer(reason)) {
            try engine(tool) { $0.build.sanitizers = ["undefined"] }.run()
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message == "the toolchain cannot build with this sanitizer: \(reason)")
    }

    /// The loader exits with 127.
    @Test func aBinaryWithoutItsLibrariesIsNotEmpty() throws {
        let words = "P.xctest: error while loading shared libraries: libfoo.so: cannot open shared object file"
        let tool = OneAnswer(status: 127, errors: "\(words)\n")
        let engine = engine(tool) { $0.build.isSkipped = true }
        for start in [{ _ = try engine.run() }, { _ = try engine.list() }] {
            let failure = #expect(throws: TestEngineFailure.self) { try start() }
            #expect(failure?.status == .testCrashed)
            #expect(
                failure?.message == """
                    '.build/debug/P.xctest' does not list its tests: exit status 127
                    P.xctest: error while loading shared libraries: libfoo.so: cannot open shared object file
                    """)
        }
    }

    /// The binary interprets the request as an argument of its own.
    @Test(arguments: [
        (0, "Test Case 'C.testA' passed (0.1 seconds)", 0),
        (1, "Test Case 'C.testA' failed (0.1 seconds)", 1),
        (0, "Test Case 'C.testA' failed (0.1 seconds)", 1),
        (3, "Test Case 'C.testA' passed (0.1 seconds)", 1),
    ])
    func aBinaryWithItsOwnEntryPointRunsThroughSwiftTest(
        status: Int32, line: String, verdict expected: Int32
    ) throws {
        var tool = OneAnswer(status: 1, errors: "Unexpected option: --list-tests\n")
        tool.ofSwiftTest = (status, "Test Case 'C.testA' started at 2026-01-01 00:00:00.000\n\(line)\n")
        let events = Mutex<[LaneEvent.Kind]>([])
        let engine = engine(
            tool, { $0.build.isSkipped = true }, told: { kind in events.withLock { $0.append(kind) } })
        let verdict = try engine.run()
        #expect(verdict.rawValue == expected)
        #expect(verdict.counts.planned == 1)
        let notes = events.withLock { $0 }.compactMap { kind in
            if case .message(let message) = kind, message.level == .note { message.text } else { nil }
        }
        #expect(notes.count == 1)
        #expect(
            notes.first
                == "'.build/debug/P.xctest' has its own entry point and does not list its tests, so 'swift test' runs them"
        )
    }

    /// Tests that are not listed cannot be selected.
    @Test func withAFilterItIsAnError() throws {
        var tool = OneAnswer(status: 64, errors: "Unexpected option: --list-tests\n")
        tool.ofSwiftTest = (0, "")
        let engine = engine(tool) { options in
            options.build.isSkipped = true
            options.choice.filter = ["C"]
        }
        for start in [{ _ = try engine.run() }, { _ = try engine.list() }] {
            let failure = #expect(throws: TestEngineFailure.self) { try start() }
            #expect(failure?.status == .nothingRan)
            #expect(
                failure?.message == """
                    '.build/debug/P.xctest' has its own entry point and does not list its tests: exit status 64
                    Unexpected option: --list-tests
                    hint: without options that select tests, they run with 'swift test'
                    """)
        }
    }
}

/// Simulates all commands in the same way, except `swift test`, which prints the output of a package that passes.
struct OneAnswer: ProcessRunner {
    let status: Int32
    let errors: String
    var ofSwiftTest: (status: Int32, output: String)?

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        if let ofSwiftTest, command.executable == "swift", command.arguments.first == "test" {
            Array(ofSwiftTest.output.utf8).withUnsafeBytes { output(.standardOutput, $0) }
            return ExitReport(termination: .exited(ofSwiftTest.status), duration: .zero)
        }
        Array(errors.utf8).withUnsafeBytes { output(.standardError, $0) }
        return ExitReport(termination: .exited(status), duration: .zero)
    }
}
