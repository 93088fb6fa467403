import Files
import LaneEvents
import Synchronization
import TestQueue
import TestSupport
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

    /// Returns the tests in files of events.
    private func results(in files: some Sequence<String>) -> [String] {
        files.flatMap { $0.split(separator: "\n").dropFirst().map(String.init) }
    }

    @Test("Machines that stop or are lost at any moment lose no test, and none has two results", arguments: 0..<24)
    func lostMachines(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let clock = SharedClock()
        let store = try DirectoryStore(at: "\(directory.path)/queue", clock: { clock.time })
        try run(seed, { store }, time: { clock.time }, advance: clock.advance)
        let names = try listDirectory("\(directory.path)/queue/events")
        let results = results(in: try names.map { try directory.read("queue/events/\($0)") })
        #expect(results.sorted() == Self.tests.map { "\($0.id)" }.sorted())
    }

    @Test("So do those that share a web server, which loses answers", arguments: 0..<24)
    func lostMachinesOfServer(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let random = Mutex(SplitMix64(seed: seed + 1000))
        let server = FakeWebServer { request in
            // Requests for many files at once would fail at each attempt.
            guard request.method != "HEAD" else { return nil }
            return switch random.withLock({ Int.random(in: 0..<60, using: &$0) }) {
            case 0: .hangUp
            case 1: .loseAnswer
            case 2: .status(503)
            default: nil
            }
        }
        let store = WebStore(try server.files(), drafts: directory.path)
        try run(seed, { store }, time: { server.time }, advance: server.advance)
        let files = server.files.filter { $0.key.hasPrefix("/run/events/") }
        #expect(files.keys.allSatisfy { $0.hasSuffix(".jsonl") })
        #expect(results(in: files.values).sorted() == Self.tests.map { "\($0.id)" }.sorted())
    }

    /// Runs machines until all batches have results.
    private func run(
        _ seed: UInt64, _ store: () -> any QueueStore, time: () -> Double, advance: (Double) -> Void
    ) throws {
        var random = SplitMix64(seed: seed)
        func open() throws -> TestQueue {
            try TestQueue(in: store(), tests: Self.tests.shuffled(using: &random), lease: .seconds(10))
        }
        let queues = try (0..<4).map { _ in try open() }
        var machines = (0..<4).map { Machine(number: $0) }
        // The last machine is never lost.
        var isFinished = false
        for _ in 0..<2000 where !isFinished {
            advance(Double.random(in: 0..<2, using: &random))
            let index = Int.random(in: 0..<4, using: &random)
            guard let wakesAt = machines[index].wakesAt, wakesAt <= time() else { continue }
            switch (machines[index].claim, Int.random(in: 0..<10, using: &random)) {
            case (_, 0) where index < 3: machines[index].wakesAt = nil
            case (_, 1) where index < 3: machines[index].wakesAt = time() + 25
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
        // A machine that starts late finds nothing to do.
        #expect(try open().claim() == nil)
    }

    @Test("Machines that create the queue at once take each batch once", .startsPrograms)
    func atOnce() throws {
        let directory = try TemporaryDirectory()
        let claims = concurrentClaims { try DirectoryStore(at: "\(directory.path)/queue") }
        #expect(claims.sorted() == Array(1...claims.count))
        #expect(claims.count == TestBatches.batches(of: Self.tests).count)
        #expect(try listDirectory("\(directory.path)/queue") == ["claimed", "queue", "running"])
        #expect(try listDirectory("\(directory.path)/queue/running").isEmpty)
    }

    @Test("The same on a web server", .startsPrograms)
    func atOnceOnServer() throws {
        let server = FakeWebServer()
        let claims = concurrentClaims { WebStore(try server.files(), drafts: "/none") }
        #expect(claims.sorted() == Array(1...TestBatches.batches(of: Self.tests).count))
        #expect(server.files.count == claims.count + 1)
    }

    @Test("A batch that a machine returns goes to any machine, though it has taken all others before")
    func returned() throws {
        let server = FakeWebServer()
        let stores = try (0..<2).map { _ in WebStore(try server.files(), drafts: "/none") }
        let queues = try stores.map { try TestQueue(in: $0, tests: Self.tests, lease: .seconds(10)) }
        var claims: [TestQueue.Claim] = []
        while let claim = try queues[0].claim() { claims.append(claim) }
        #expect(try queues[1].claim() == nil)
        try queues[0].release(claims[3])
        #expect(try queues[1].claim()?.tests == claims[3].tests)
        #expect(try queues[0].claim() == nil)
    }

    private func concurrentClaims(_ store: @escaping @Sendable () throws -> any QueueStore) -> [Int] {
        concurrentMap(8, threads: 8) { _ in
            var numbers: [Int] = []
            guard let store = try? store(),
                let queue = try? TestQueue(in: store, tests: Self.tests, lease: .seconds(60))
            else { return [-1] }
            while let claim = try? queue.claim() { numbers.append(claim.number) }
            return numbers
        }.flatMap(\.self)
    }

    @Test("A queue of other tests, and any other directory, are errors")
    func mistakes() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/queue"
        func open(_ path: String, _ tests: [TestInfo]) throws -> TestQueue {
            try TestQueue(in: DirectoryStore(at: path), tests: tests, lease: .seconds(1))
        }
        _ = try open(path, Self.tests)
        #expect(throws: TestQueueError.otherTests(path, count: 30, expected: 29)) {
            try open(path, Array(Self.tests.dropFirst()))
        }
        try directory.write("x", to: "other/file")
        #expect(throws: TestQueueError.notAQueue("\(directory.path)/other")) {
            try open("\(directory.path)/other", Self.tests)
        }
        #expect(try listDirectory("\(directory.path)/other") == ["file"])
        let text = try directory.read("queue/queue")
        for damaged in ["x", String(text.dropLast(80)), text.replacing("test12", with: "test21"), ""] {
            try directory.write(damaged, to: "queue/queue")
            #expect(throws: TestQueueError.notAQueue(path)) { try open(path, Self.tests) }
        }
    }

    @Test("A file system without hard links is an error")
    func noHardLinks() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/queue"
        let store = try DirectoryStore(
            at: path, link: { draft, _ in .failure(FileError("link", draft, code: EPERM)) })
        let error = #expect(throws: TestQueueError.self) {
            try TestQueue(in: store, tests: Self.tests, lease: .seconds(1))
        }
        #expect(error == .noHardLinks(path))
        #expect(try listDirectory("\(path)/running") == [])
    }

    @Test("An error of the server has its address, its status and a hint")
    func refusal() throws {
        for (status, hint) in [
            (
                403,
                "set the variable AUTHORIZATION to the value of that header, such as 'Basic …' or 'Bearer …'"
            ),
            (
                405,
                "the server must accept PUT, DELETE and MOVE there, as nginx does with its module for WebDAV"
            ),
            (413, "the server limits the size of files, as 'client_max_body_size' of nginx does"),
            (500, "the log of the server says why, such as a full disk"),
        ] {
            let server = FakeWebServer { $0.method == "PUT" ? .status(status) : nil }
            let store = WebStore(try server.files(), drafts: "/none")
            let error = #expect(throws: TestQueueError.self) {
                try TestQueue(in: store, tests: Self.tests, lease: .seconds(1))
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("the server answered PUT of 'http://localhost/run/queue."), "\(text)")
            #expect(text.hasSuffix("' with \(status)\nhint: \(hint)"), "\(text)")
        }
        let gone = WebStore(try FakeWebServer { _ in .hangUp }.files(), drafts: "/none")
        let error = #expect(throws: TestQueueError.self) {
            try TestQueue(in: gone, tests: Self.tests, lease: .seconds(1))
        }
        #expect(error?.description == "no answer from 'http://localhost/run/queue' after 7 attempts: hung up")
    }
}

/// A clock that a test sets.
private final class SharedClock: Sendable {
    private let state = Mutex(1_000_000.0)

    var time: Double { state.withLock { $0 } }

    func advance(by seconds: Double) { state.withLock { $0 += seconds } }
}
