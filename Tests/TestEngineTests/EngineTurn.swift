import Testing

/// A trait that runs one of its tests at a time, while the others wait without a thread. An engine's run may take
/// minutes, and two waiting tests would block all others on two processors.
struct EngineTurn: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Gate.only.enter()
        do {
            try await function()
        } catch {
            await Gate.only.leave()
            throw error
        }
        await Gate.only.leave()
    }

    private actor Gate {
        static let only = Gate()

        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func enter() async {
            guard isTaken else {
                isTaken = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func leave() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == EngineTurn {
    static var engineTurn: EngineTurn { EngineTurn() }
}
