import Events

/// The properties of an event file that decide how it is merged.
struct ShardSurvey {
    let file: EventFile
    let start: RunStart?
    let end: RunEnd?
    /// The part of the tests, or `nil` if the run had all tests.
    let shard: TestShard?
    /// The hashes of the names of the planned tests.
    let planned: Set<UInt64>
    let highestAttempt: Int

    /// The words of the events that are read.
    private static let words = ["runStarted", "testsSharded", "testsPlanned", "runEnded", "testStarted"]

    init(of file: EventFile) throws(MergeError) {
        self.file = file
        var events = Events()
        try file.read(only: Self.words, isWhole: true) { (event) throws(MergeError) in events.add(event.kind) }
        (start, end, shard) = (events.start, events.end, events.shard)
        (planned, highestAttempt) = (events.planned, events.highestAttempt)
        guard start != nil else { throw .noRun(path: file.path) }
    }

    /// The properties that the events have given so far.
    private struct Events {
        var start: RunStart?
        var end: RunEnd?
        var shard: TestShard?
        var planned: Set<UInt64> = []
        var highestAttempt = 1

        mutating func add(_ kind: LaneEvent.Kind) {
            switch kind {
            case .runStarted(let start): self.start = self.start ?? start
            case .runEnded(let end): self.end = end
            case .test(.sharded(let shard)): self.shard = shard
            case .test(.planned(let tests)):
                planned.formUnion(tests.map(\.id.key))
            case .test(.started(_, let attempt, _)): highestAttempt = max(highestAttempt, attempt)
            default: break
            }
        }
    }

    /// The number of the shard, or 1 for a run of all tests.
    var index: Int { shard?.index ?? 1 }

    /// The start of the run in seconds since 1970.
    var startedAt: Double { start?.startedAt ?? 0 }

    /// A Boolean value that indicates whether the run ended by itself. If not, its machine was lost.
    var isComplete: Bool { end != nil }
}
