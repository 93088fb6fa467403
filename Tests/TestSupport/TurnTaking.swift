package import Testing

/// A trait that runs a few of its tests at a time, while the others wait without a thread. A test may take minutes, and
/// two waiting tests would block all others on two processors.
package struct TurnTaking: TestTrait, SuiteTrait, TestScoping {
    private let gate: Gate

    package init(_ gate: Gate) {
        self.gate = gate
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await gate.enter()
        do {
            try await function()
        } catch {
            await gate.leave()
            throw error
        }
        await gate.leave()
    }

    /// A counting semaphore for tasks.
    package actor Gate {
        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        /// Creates a gate that lets `count` tests in at a time.
        package init(_ count: Int) {
            free = count
        }

        fileprivate func enter() async {
            guard free == 0 else {
                free -= 1
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        fileprivate func leave() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}
