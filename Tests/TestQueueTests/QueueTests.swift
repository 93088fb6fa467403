import Files
import LaneEvents
import Synchronization
import TestQueue
import TestSupport
import Testing
import Threads

@Suite struct QueueTests {
    static func test(_ index: Int, _ duration: Duration? = nil) -> TestInfo {
        let id = TestID(library: .xctest, module: "DemoTests", suite: "Demo", name: "test\(index)")
        return TestInfo(id: id, usualDuration: duration)
    }

    private static let tests = (0..<30).map { test($0, .seconds(1 + $0 % 7)) }

    /// A machine that runs the tests of a queue, and may be lost at any moment.
    private struct Machine {
        let number: Int
        var claim: TestQueue.Claim?
        /// The time at which the machine goes on, or `nil` once it is lost.
        var wakesAt: Double? = 0
    }

    /// The file of events names the machine and the tests.
    private func write(_ claim: TestQueue.Claim, by machine: Int) throws {
        try writeFile("\(machine)\n" + claim.tests.sorted().map { "\($0)\n" }.joined(), to: claim.events)
    }

    /// Returns the tests in the files of events.
    private func results(in directory: TemporaryDirectory) throws -> [String] {
        try listDirectory("\(directory.path)/queue/events").flatMap { name in
            try directory.read("queue/events/\(name)").split(separator: "\n").dropFirst().map(String.init)
        }
    }

    @Test("Machines that stop or are lost at any moment lose no test, and none has two results", arguments: 0..<60)
    func lostMachines(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var random = SplitMix64(seed: seed)
        let shared = SharedClock()
        func open() throws -> TestQueue {
            try TestQueue(
                at: "\(directory.path)/queue", tests: Self.tests.shuffled(using: &random), lease: .seconds(10),
                clock: { shared.time })
        }
        let queues = try (0..<4).map { _ in try open() }
        var machines = (0..<4).map { Machine(number: $0) }
        // The last machine is never lost.
        var isFinished = false
        for _ in 0..<2000 where !isFinished {
            shared.advance(by: Double.random(in: 0..<2, using: &random))
            let index = Int.random(in: 0..<4, using: &random)
            guard let wakesAt = machines[index].wakesAt, wakesAt <= shared.time else { continue }
            switch (machines[index].claim, Int.random(in: 0..<10, using: &random)) {
            case (_, 0) where index < 3: machines[index].wakesAt = nil
            case (_, 1) where index < 3: machines[index].wakesAt = shared.time + 25
            case (nil, _): machines[index].claim = try queues[index].claim()
            case (let claim?, 2..<6): try queues[index].keep(claim)
            case (let claim?, 6):
                try queues[index].release(claim)
                machines[index].claim = nil
            case (let claim?, _):
                try write(claim, by: index)
                // A machine may be lost before it has published the results.
                if index < 3, Int.random(in: 0..<8, using: &random) == 0 {
                    machines[index].wakesAt = nil
                } else {
                    try queues[index].complete(claim)
                    machines[index].claim = nil
                    isFinished = try queues[3].isFinished()
                }
            }
        }
        #expect(try queues[3].isFinished())
        #expect(try results(in: directory).sorted() == Self.tests.map { "\($0.id)" }.sorted())
        // A machine that starts late finds nothing to do.
        #expect(try open().claim() == nil)
    }

    @Test("Machines that create the queue at once take each batch once", .startsPrograms)
    func atOnce() throws {
        let directory = try TemporaryDirectory()
        let claims = concurrentClaims(at: "\(directory.path)/queue")
        #expect(claims.sorted() == Array(1...claims.count))
        #expect(claims.count == TestBatches.batches(of: Self.tests).count)
        #expect(try listDirectory(directory.path) == ["queue"])
    }

    private func concurrentClaims(at path: String) -> [Int] {
        concurrentMap(8, threads: 8) { _ in
            var numbers: [Int] = []
            guard let queue = try? TestQueue(at: path, tests: Self.tests, lease: .seconds(60)) else { return [-1] }
            while let claim = try? queue.claim() { numbers.append(claim.number) }
            return numbers
        }.flatMap(\.self)
    }

    @Test("A queue of other tests, and any other directory, are errors")
    func mistakes() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/queue"
        _ = try TestQueue(at: path, tests: Self.tests, lease: .seconds(1))
        #expect(throws: TestQueueError.otherTests(path, count: 30, expected: 29)) {
            try TestQueue(at: path, tests: Array(Self.tests.dropFirst()), lease: .seconds(1))
        }
        try directory.write("x", to: "other/file")
        #expect(throws: TestQueueError.self) {
            try TestQueue(at: "\(directory.path)/other", tests: Self.tests, lease: .seconds(1))
        }
        #expect(try listDirectory("\(directory.path)/other") == ["file"])
        try directory.write("x", to: "queue/queue")
        #expect(throws: TestQueueError.notAQueue(path)) {
            try TestQueue(at: path, tests: Self.tests, lease: .seconds(1))
        }
    }
}

/// A clock that a test sets.
private final class SharedClock: Sendable {
    private let state = Mutex(1_000_000.0)

    var time: Double { state.withLock { $0 } }

    func advance(by seconds: Double) { state.withLock { $0 += seconds } }
}
