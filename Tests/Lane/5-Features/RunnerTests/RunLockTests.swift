import CLibrary
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import Runner

@Suite struct RunLockTests {
    @Test func aSecondRunReportsTheHolder() throws {
        let directory = try TemporaryDirectory()
        let lock = try RunLock.acquire(root: directory.path, holder: "lane release (process 12)", environment: [:])
        #expect(lock != nil)
        #expect(throws: RunLock.Held(holder: "lane release (process 12)")) {
            try RunLock.acquire(root: directory.path, holder: "lane test", environment: [:])
        }
        withExtendedLifetime(lock) {}
    }

    @Test func theLockIsReleasedWithItsHolder() throws {
        let directory = try TemporaryDirectory()
        do {
            let lock = try RunLock.acquire(root: directory.path, holder: "first", environment: [:])
            #expect(lock != nil)
        }
        #expect(try RunLock.acquire(root: directory.path, holder: "second", environment: [:]) != nil)
    }

    /// A killed holder leaves an unlocked file.
    @Test func aKilledHolderLeavesNoLock() throws {
        let directory = try TemporaryDirectory()
        try directory.write("lane test (process 1)\n", to: ".lane/lock")
        try directory.write("token=secret\n", to: ".lane/outputs/step.x/output")
        #expect(try RunLock.acquire(root: directory.path, holder: "next", environment: [:]) != nil)
        #expect(try directory.read(".lane/lock") == "")
        #expect(!fileExists("\(directory.path)/.lane/outputs"))
    }

    @Test func aRunInsideARunNeedsNoLock() throws {
        let directory = try TemporaryDirectory()
        let outer = try RunLock.acquire(root: directory.path, holder: "outer", environment: [:])
        let inner = try RunLock.acquire(
            root: directory.path, holder: "inner", environment: [ChildMark.root: directory.path])
        #expect(outer != nil)
        #expect(inner == nil)
    }

    @Test func aReadOnlyDirectoryHasNoLock() throws {
        #expect(try RunLock.acquire(root: "/proc", holder: "x", environment: [:]) == nil)
    }

    /// A run that cleans up after a killed run holds the lock only for a moment.
    @Test func runsWaitForACleanup() throws {
        let directory = try TemporaryDirectory()
        let cleanup = Mutex(
            try RunLock.acquire(root: directory.path, holder: RunLock.cleanupPrefix + "x", environment: [:]))
        let thread = Thread {
            usleep(300_000)
            cleanup.withLock { $0 = nil }
        }
        defer { thread?.join() }
        #expect(try RunLock.acquire(root: directory.path, holder: "next", environment: [:]) != nil)
    }
}
