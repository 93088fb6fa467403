package import Testing

import Threads

/// A trait that runs a few of its tests at a time, on threads of their own. They wait for processes, and on the threads of
/// all tasks, of which there are two on two processors, they would keep all other tests waiting.
package struct TurnTaking: TestTrait, SuiteTrait, TestScoping {
    /// The turns of all tests that start programs. They wait so often that it takes more of them than there are processors
    /// to keep these busy.
    fileprivate static let ofPrograms = TurnTaking(4)

    private let gate: Gate
    private let threads: TestThreads

    /// Creates the turns of tests of which `count` run at a time.
    package init(_ count: Int) {
        gate = Gate(count)
        threads = TestThreads(count)
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        // The turns as well: in the queue of all tasks, the next test would wait for all that need no turn.
        try await withTaskExecutorPreference(threads) {
            await gate.enter()
            do {
                try await function()
            } catch {
                await gate.leave()
                throw error
            }
            await gate.leave()
        }
    }

    /// A counting semaphore for tasks.
    private actor Gate {
        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) {
            free = count
        }

        func enter() async {
            guard free == 0 else {
                free -= 1
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func leave() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == TurnTaking {
    /// Runs a few of the tests that start programs at a time.
    package static var startsPrograms: TurnTaking { .ofPrograms }
}

/// Runs tasks on threads of its own, which they may block.
private final class TestThreads: TaskExecutor {
    private let jobs = Monitor<[UnownedJob]>([])

    init(_ count: Int) {
        for _ in 0..<count {
            _ = Thread {
                while true {
                    let job = self.jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }
                    job.runSynchronously(on: self.asUnownedTaskExecutor())
                }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobs.signal()
    }
}
