import LaneEvents

/// How long tests will still take, from the times they took before.
struct RemainingTime {
    private let expected: (TestID) -> Duration?
    private var open: [TestID: Double] = [:]
    private var openSeconds = 0.0
    private var doneSeconds = 0.0
    private var known = 0
    private var unknown = 0
    private var began: Duration?

    init(expected: @escaping (TestID) -> Duration?) {
        self.expected = expected
    }

    mutating func receive(_ event: TestEvent, at offset: Duration) {
        switch event {
        case .planned(let tests):
            for test in tests where open[test.id] == nil {
                let time = expected(test.id)
                if time == nil { unknown += 1 } else { known += 1 }
                // A test without a record is taken for a quick one.
                let seconds = time.map { $0 / .seconds(1) } ?? 0.01
                open[test.id] = seconds
                openSeconds += seconds
            }
        case .started: began = began ?? offset
        case .ended(let result):
            guard let seconds = open.removeValue(forKey: result.test) else { return }
            openSeconds -= seconds
            doneSeconds += seconds
        default: break
        }
    }

    /// `nil` until there is ground for a guess: most tests recorded, some of them done. The speed so far accounts for
    /// tests that run side by side and for a slower machine.
    func left(at offset: Duration) -> Duration? {
        guard known > unknown, let began, doneSeconds > 0, openSeconds > 0 else { return nil }
        let elapsed = (offset - began) / .seconds(1)
        guard elapsed > 0.5 else { return nil }
        return .seconds(openSeconds * elapsed / doneSeconds)
    }
}
