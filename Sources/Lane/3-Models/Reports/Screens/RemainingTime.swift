import Events

/// An estimate of the remaining time of tests, based on their earlier durations.
struct RemainingTime {
    private var open: [TestID: Double] = [:]
    private var openSeconds = 0.0
    private var doneSeconds = 0.0
    private var known = 0
    private var unknown = 0
    private var began: Duration?

    mutating func receive(_ event: TestEvent, at offset: Duration) {
        switch event {
        case .planned(let tests):
            for test in tests where open[test.id] == nil {
                if test.usualDuration == nil { unknown += 1 } else { known += 1 }
                // A test without a recorded duration is assumed to be fast.
                let seconds = test.usualDuration?.seconds ?? 0.01
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

    /// Returns the estimate. Returns `nil` unless most tests have a recorded duration and some tests have ended.
    ///
    /// The estimate uses the current speed, which accounts for concurrent tests and slower machines.
    func left(at offset: Duration) -> Duration? {
        guard known > unknown, let began, doneSeconds > 0, openSeconds > 0 else { return nil }
        let elapsed = (offset - began).seconds
        guard elapsed > 0.5 else { return nil }
        return .seconds(openSeconds * elapsed / doneSeconds)
    }
}
