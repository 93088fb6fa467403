/// The tests of a process that are at work, where more have begun than there is room for.
///
/// Up to Swift 6.3, a test's `testStarted` says that it has joined the queue. Tests leave the queue in the order in which
/// they joined it, so the first unfinished ones are at work, and all those before one that has ended.
package struct TestTurns: Sendable {
    private let room: Int
    private var queue: [Int] = []
    /// How many of the queue have had their turn.
    private var head = 0
    private var turns: [Int: Duration] = [:]

    package init(room: Int) { self.room = room }

    /// The moment at which the test's turn began; `nil` while it waits.
    package subscript(test: Int) -> Duration? { turns[test] }

    /// Takes in that a test has joined the queue.
    package mutating func begin(_ test: Int, at moment: Duration) {
        queue.append(test)
        fill(at: moment)
    }

    /// Takes in that a test has ended, and returns the moment at which its turn began at the latest.
    package mutating func end(_ test: Int, at moment: Duration) -> Duration {
        if turns[test] == nil, let place = queue[head...].firstIndex(of: test) {
            for index in head...place { turns[queue[index]] = moment }
            head = place + 1
        }
        let turn = turns.removeValue(forKey: test)
        fill(at: moment)
        return turn ?? moment
    }

    private mutating func fill(at moment: Duration) {
        while turns.count < room, head < queue.count {
            turns[queue[head]] = moment
            head += 1
        }
    }
}
