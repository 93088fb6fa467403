import Events
import TestSupport
import Testing
import ToolOutput

/// Tests with outputs that eu-stack 0.188 and gdb 13.1 printed for the fixture `Hangs`.
@Suite struct StackOutputTests {
    private static func recorded(_ name: String) throws -> [UInt8] {
        try contents(of: "\(repositoryRoot)/Tests/Lane/2-Readers/ToolOutputTests/Stacks/Recorded/\(name).txt")
    }

    private static func summary(_ stacks: [ThreadStack], _ suite: String, _ name: String) -> StackSummary {
        let library: TestLibrary = name.hasSuffix(")") ? .swiftTesting : .xctest
        return StackSummary(
            stacks, products: "/src/Hangs/.build/x86_64-unknown-linux-gnu/debug", root: "/src/Hangs",
            tests: [TestID(library: library, module: "HangTests", suite: suite, name: name)])
    }

    @Test func euStackPrintsFramesWithLibraries() throws {
        let stacks = ThreadStack.parse(euStack: try Self.recorded("lock-cycle.eu-stack"))
        #expect(stacks.map(\.frames.count) == [28, 7, 7, 7, 8])
        let call = StackFrame(
            "$s4Bank7AccountC8transfer_2to10whenLockedySi_ACyyXEtF",
            library: "/src/Hangs/.build/x86_64-unknown-linux-gnu/debug/HangsPackageTests.xctest")
        #expect(stacks.first?.frames[2] == call)
    }

    @Test func aLockCycleNamesBothThreads() throws {
        let stacks = ThreadStack.parse(euStack: try Self.recorded("lock-cycle.eu-stack"))
        let summary = Self.summary(stacks, "ThreadHangs", "testLockCycle")
        #expect(summary.isInTest)
        #expect(
            summary.lines == [
                "a thread in the test:",
                "  … __pthread_mutex_lock and 1 more",
                "> Bank.Account.transfer(_:to:whenLocked:)",
                "> HangTests.ThreadHangs.testLockCycle()",
                "a thread in the test:",
                "  … __pthread_mutex_lock and 1 more",
                "> Bank.Account.transfer(_:to:whenLocked:)",
                "> closure #1 in HangTests.ThreadHangs.testLockCycle()",
                "3 other threads are outside the package's code",
            ])
    }

    @Test func gdbAddsLocations() throws {
        let stacks = ThreadStack.parse(gdb: try Self.recorded("lock-cycle.gdb"))
        #expect(stacks.count == 5)
        #expect(
            Self.summary(stacks, "ThreadHangs", "testLockCycle").lines == [
                "a thread in the test:",
                "  … ___pthread_mutex_lock and 3 more",
                "> Bank.Account.transfer(_:to:whenLocked:) at Sources/Bank/Account.swift:13",
                "> closure #1 in HangTests.ThreadHangs.testLockCycle() at Tests/HangTests/ThreadHangs.swift:12",
                "a thread in the test:",
                "  … ___pthread_mutex_lock and 3 more",
                "> Bank.Account.transfer(_:to:whenLocked:) at Sources/Bank/Account.swift:13",
                "> HangTests.ThreadHangs.testLockCycle() at Tests/HangTests/ThreadHangs.swift:18",
                "3 other threads are outside the package's code",
            ])
    }

    @Test func equalStacksAreShownOnce() throws {
        let stacks = ThreadStack.parse(euStack: try Self.recorded("starvation.eu-stack"))
        #expect(
            Self.summary(stacks, "TaskHangs", "starvation()").lines.prefix(4) == [
                "2 threads in the test:",
                "  … _dispatch_semaphore_wait_slow and 3 more",
                "> HangTests.blockPool(_:)",
                "> closure #1 in closure #1 in HangTests.TaskHangs.starvation()",
            ])
    }

    @Test func aSuspendedTaskHasNoStack() throws {
        let stacks = ThreadStack.parse(euStack: try Self.recorded("suspended.eu-stack"))
        let summary = Self.summary(stacks, "TaskHangs", "continuation()")
        #expect(!summary.isInTest)
        #expect(
            summary.lines == [
                "no thread is in the test: it waits at an 'await', and a suspended task has no stack",
                "5 other threads are outside the package's code",
            ])
    }

    /// A tool that is ended in the middle of its output has still shown the first threads.
    @Test(arguments: ["lock-cycle.eu-stack", "lock-cycle.gdb"]) func truncatedOutputIsRead(_ name: String) throws {
        let output = try Self.recorded(name)
        for count in stride(from: 0, through: output.count, by: 97) {
            let part = Array(output.prefix(count))
            let stacks = name.hasSuffix("gdb") ? ThreadStack.parse(gdb: part) : ThreadStack.parse(euStack: part)
            #expect(stacks.count <= 5)
            _ = Self.summary(stacks, "ThreadHangs", "testLockCycle").lines
        }
    }
}
