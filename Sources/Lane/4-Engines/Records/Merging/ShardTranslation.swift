import Events

/// The events of one machine as those of the merged run.
struct ShardTranslation {
    private let shard: TestShard?
    private let index: Int
    /// The number of attempts in earlier runs of the same shard.
    private let earlierAttempts: Int

    init(_ part: ShardSurvey, earlierAttempts: Int) {
        shard = part.shard
        index = part.index
        self.earlierAttempts = earlierAttempts
    }

    /// Returns the event for the merged run, or `nil` if it concerns only the machine.
    func translated(_ kind: LaneEvent.Kind) -> LaneEvent.Kind? {
        switch kind {
        case .runStarted, .runEnded, .buildProgress, .test(.finished), .test(.sharded): return nil
        case .test(.started(let test, let attempt, let worker)):
            let number = shard == nil ? worker : MergedWorkers.number(worker, ofShard: index)
            return .test(.started(test, attempt: earlierAttempts + attempt, worker: number))
        case .test(.ended(var result)):
            result.attempt += earlierAttempts
            return .test(.ended(result))
        case .message(var message):
            guard message.level != .note, let shard else { return shard == nil ? kind : nil }
            message.text = "shard \(shard.index) of \(shard.count): \(message.text)"
            return .message(message)
        default: return kind
        }
    }
}
