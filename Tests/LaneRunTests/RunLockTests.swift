import LaneRun
import Processes
import Synchronization
import TestSupport
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct RunLockTests {
    @Test func theSecondRunIsToldWhoHoldsIt() throws {
        let directory = try TemporaryDirectory()
        let lock = try RunLock.take(root: directory.path, holder: "lane release (process 12)", environment: [:])
        #expect(lock != nil)
        #expect(throws: RunLock.Held(holder: "lane release (process 12)")) {
            try RunLock.take(root: directory.path, holder: "lane test", environment: [:])
        }
        withExtendedLifetime(lock) {}
    }

    @Test func itIsFreeAfterItsHolder() throws {
        let directory = try TemporaryDirectory()
        do {
            let lock = try RunLock.take(root: directory.path, holder: "first", environment: [:])
            #expect(lock != nil)
        }
        #expect(try RunLock.take(root: directory.path, holder: "second", environment: [:]) != nil)
    }

    /// What a holder that was killed leaves behind is a file that nobody has locked.
    @Test func whatAKilledHolderLeavesIsNoLock() throws {
        let directory = try TemporaryDirectory()
        try directory.write("lane test (process 1)\n", to: ".lane/lock")
        #expect(try RunLock.take(root: directory.path, holder: "next", environment: [:]) != nil)
        #expect(try directory.read(".lane/lock") == "")
    }

    @Test func aRunWithinARunNeedsNone() throws {
        let directory = try TemporaryDirectory()
        let outer = try RunLock.take(root: directory.path, holder: "outer", environment: [:])
        let inner = try RunLock.take(
            root: directory.path, holder: "inner", environment: [RunLock.rootVariable: directory.path])
        #expect(outer != nil)
        #expect(inner == nil)
    }

    @Test func whereNothingCanBeWrittenThereIsNone() throws {
        #expect(try RunLock.take(root: "/proc", holder: "x", environment: [:]) == nil)
    }

    /// Else files may have changed since the run was asked for.
    @Test func itTellsWhetherSomebodyElseWasHere() throws {
        let directory = try TemporaryDirectory()
        func take(_ holder: String = "x") throws -> RunLock? {
            try RunLock.take(root: directory.path, holder: holder, environment: [:])
        }
        #expect(try take()?.wasFree == true)
        try directory.write("lane test (process 1)\n", to: ".lane/lock")
        #expect(try take()?.wasFree == false)

        // Others wait long for such a holder. On a busy machine it may be gone before anybody has come to wait.
        let wasMet = try [20_000, 200_000, 2_000_000].contains { wait in
            let holder = Mutex(try take(RunLock.cleaner + "x"))
            let thread = Thread {
                usleep(UInt32(wait))
                holder.withLock { $0 = nil }
            }
            defer { thread?.join() }
            return try take()?.wasFree == false
        }
        #expect(wasMet)
    }
}
