import Testing

/// Of all tests that have it, one runs at a time, and the others wait without holding a thread: an engine's run takes
/// minutes on a new machine, and with two processors two waiting tests would keep all others from going on.
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
