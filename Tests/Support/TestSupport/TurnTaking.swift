import CLibrary
import OperatingSystem
package import Testing

/// A trait that runs a limited number of its tests at a time, on separate threads. These tests wait for processes. On the
/// shared threads, of which there are two on two processors, they would block all other tests.
package struct TurnTaking: TestTrait, SuiteTrait, TestScoping {
    /// The limit for tests that start programs. They often wait, so more of them than there are processors run at a time.
    fileprivate static let ofPrograms = TurnTaking(5)

    private let gate: Gate
    private let threads: TestThreads

    /// Creates a trait that runs at most `count` of its tests at a time.
    package init(_ count: Int) {
        gate = Gate(count)
        threads = TestThreads(count)
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        // Also enters and leaves on these threads. In the shared queue, the next test would wait for all other tests.
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
    /// Limits the number of tests that start programs at a time.
    package static var startsPrograms: TurnTaking { .ofPrograms }
}

/// An executor with its own threads, which tasks may block.
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
