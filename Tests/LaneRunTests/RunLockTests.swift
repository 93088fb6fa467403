import Files
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

    /// A killed holder leaves an unlocked file.
    @Test func whatAKilledHolderLeavesIsNoLock() throws {
        let directory = try TemporaryDirectory()
        try directory.write("lane test (process 1)\n", to: ".lane/lock")
        try directory.write("token=secret\n", to: ".lane/outputs/step.x/output")
        #expect(try RunLock.take(root: directory.path, holder: "next", environment: [:]) != nil)
        #expect(try directory.read(".lane/lock") == "")
        #expect(!fileExists("\(directory.path)/.lane/outputs"))
    }

    @Test func aRunWithinARunNeedsNone() throws {
        let directory = try TemporaryDirectory()
        let outer = try RunLock.take(root: directory.path, holder: "outer", environment: [:])
        let inner = try RunLock.take(
            root: directory.path, holder: "inner", environment: [ChildMark.root: directory.path])
        #expect(outer != nil)
        #expect(inner == nil)
    }

    @Test func whereNothingCanBeWrittenThereIsNone() throws {
        #expect(try RunLock.take(root: "/proc", holder: "x", environment: [:]) == nil)
    }

    /// A run that clears up after a killed one holds the lock for a moment only.
    @Test func aCleanerIsWaitedFor() throws {
        let directory = try TemporaryDirectory()
        let cleaner = Mutex(try RunLock.take(root: directory.path, holder: RunLock.cleaner + "x", environment: [:]))
        let thread = Thread {
            usleep(300_000)
            cleaner.withLock { $0 = nil }
        }
        defer { thread?.join() }
        #expect(try RunLock.take(root: directory.path, holder: "next", environment: [:]) != nil)
    }
}
