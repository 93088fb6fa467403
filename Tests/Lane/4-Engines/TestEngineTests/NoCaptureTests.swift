import Events
import OperatingSystem
import TestSupport
import Testing

@testable import TestEngine

/// Tests of runs whose output is not read.
@Suite(.engineTurn) struct NoCaptureTests {
    /// A runner that discards the output for the terminal, which would be in the output of these tests.
    private struct Terminal: ProcessRunner {
        func run(
            _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
        ) throws(SpawnError) -> ExitReport {
            guard command.output == .inherited else {
                return try ChildRunner().run(command, limits: limits, output: output)
            }
            #expect(command.input == .inherited)
            var command = command
            (command.input, command.output) = (.nothing, .piped)
            return try ChildRunner().run(command, limits: limits) { _, _ in }
        }
    }

    /// A runner with a stand-in for gdb.
    private struct StandIn: ProcessRunner {
        let status: Int32

        func run(
            _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
        ) throws(SpawnError) -> ExitReport {
            #expect(status == 0 || command.executable == "gdb", "nothing runs before the debugger is known to start")
            guard command.executable == "gdb" else {
                return try ChildRunner().run(command, limits: limits, output: output)
            }
            if status != 0 { Array("no library\n".utf8).withUnsafeBytes { output(.standardError, $0) } }
            return ExitReport(termination: .exited(status), duration: .zero)
        }
    }

    #if os(Linux)
        @Test func resultsDoNotDependOnTheOutput() throws {
            let run = try EngineRun(.losses, processes: Terminal()) { options in
                options.build.isSkipped = true
                options.isCaptured = false
                options.jobs = 1
                options.choice.filter = ["AFatal", "Fatal/"]
            }
            #expect((run.verdict.counts.crashed, run.verdict.counts.passed) == (2, 4))
            #expect(run.summary.tests.allSatisfy { $0.summary.output.text.isEmpty })
        }
    #endif

    @Test func aDebuggerRunsOneTest() {
        #expect(throws: TestEngineFailure.severalTests(6)) {
            try EngineRun(.losses, processes: StandIn(status: 0)) { options in
                options.build.isSkipped = true
                options.debugger = .gdb
                options.choice.filter = ["AFatal", "Fatal/"]
            }
        }
    }

    @Test func aDebuggerThatDoesNotStartIsReportedBeforeTheBuild() {
        let failure = TestEngineFailure.brokenDebugger(.gdb, reason: "exit status 127\nno library")
        #expect(throws: failure) {
            try EngineRun(.losses, processes: StandIn(status: 127)) { $0.debugger = .gdb }
        }
        #expect(failure.message.hasSuffix("no library\nhint: use '--debugger lldb'"))
    }

    @Test func onlyTheProgramPreloadsLibraries() {
        let command = Command("/p/x.xctest", ["A/b"], environment: ["LD_PRELOAD": "/o.so", "A": "1"], directory: "/p")
        let lldb = TestDebugger.lldb.wrapping(command)
        #expect(lldb.executable == "lldb")
        let set = #"settings set target.env-vars LD_PRELOAD="/o.so""#
        #expect(lldb.arguments == ["-o", set, "--", "/p/x.xctest", "A/b"])
        #expect(lldb.environment == ["A": "1"])
        let gdb = TestDebugger.gdb.wrapping(command)
        #expect(gdb.arguments == ["-ex", "set environment LD_PRELOAD /o.so", "--args", "/p/x.xctest", "A/b"])
        let plain = TestDebugger.gdb.wrapping(Command("/p/x", ["A"], environment: [:]))
        #expect(plain.arguments == ["--args", "/p/x", "A"])
    }
}
