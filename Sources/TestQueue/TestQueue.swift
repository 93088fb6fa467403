package import LaneEvents
import Synchronization

/// The storage of a queue's files, which several machines share.
///
/// `create` is what makes a queue correct: of all machines that create a file of one name, one succeeds.
package protocol QueueStore: Sendable {
    /// The path or the address, for messages.
    var location: String { get }

    /// Returns the content of a file, or `nil` if there is none.
    func read(_ name: String) throws(TestQueueError) -> String?
    /// Creates a file, unless there is one. Returns a Boolean value that indicates whether this call has created it.
    func create(_ name: String, _ content: String) throws(TestQueueError) -> Bool
    /// Returns the names of those files that exist.
    func existing(_ names: [String]) throws(TestQueueError) -> Set<String>
    /// Returns the time in seconds since a file was created or renewed, or `nil` if there is none.
    func age(of name: String) throws(TestQueueError) -> Double?
    /// Sets the age of a file to zero, if it exists.
    func renew(_ name: String, _ content: String) throws(TestQueueError)
    /// Removes a file, if it exists.
    func remove(_ name: String) throws(TestQueueError)
    /// Returns a path on this machine for the content of a file.
    func draft(_ name: String) -> String
    /// Moves a draft to the place of a file, unless there is one, and removes the draft.
    func publish(_ draft: String, as name: String) throws(TestQueueError)
}

/// A queue of batches of tests in a store that several machines share.
///
/// A machine takes a batch by creating its file in `claimed`, which one machine at most can do, and renews that file
/// again and again. A claim that is older than the lease belongs to a machine that was lost, and another machine creates
/// the next claim of the batch: `claimed/7.2` follows `claimed/7.1`. The results of a batch are complete once its file
/// of events is in `events`, where each batch has one name, so that none is reported twice.
package final class TestQueue: Sendable {
    /// A batch that a machine has taken.
    package struct Claim: Sendable, Equatable {
        /// The number of the batch, from 1.
        package let number: Int
        package let tests: Set<TestID>
        /// The file to which the machine writes the events of the batch.
        package let events: String
        fileprivate let owner: Int
    }

    /// The knowledge of this machine about the batches.
    private struct Progress {
        /// The lowest number of a batch that may never have been taken.
        var first = 1
        /// The batches whose events are in the store.
        var completed: Set<Int> = []
        /// The number of the last owner of each batch that was taken more than once.
        var owners: [Int: Int] = [:]
        /// The time of the last search for batches of machines that were lost.
        var searchedAt: ContinuousClock.Instant?
    }

    /// The description of all batches.
    package let header: QueueHeader
    /// The path or the address, for messages.
    package var location: String { store.location }
    private let store: any QueueStore
    private let lease: Double
    /// The name of this machine, which is the content of its claims.
    private let identity: String
    private let progress = Mutex(Progress())

    private static let headerName = "queue"
    /// The names of all files and directories of a queue.
    static let names: Set = [headerName, "claimed", "events"]
    /// The number of batches of which a machine asks first whether they were taken.
    private static let step = 16

    /// Opens the queue in a store, which is created unless another machine has done so.
    ///
    /// - Parameters:
    ///   - tests: All tests, which are divided into batches.
    ///   - lease: The time after which the batch of a machine that was lost goes to another.
    package init(in store: any QueueStore, tests: [TestInfo], lease: Duration) throws(TestQueueError) {
        self.store = store
        self.lease = lease / .seconds(1)
        identity = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let digest = QueueHeader.digest(of: tests.map(\.id))
        if try store.read(Self.headerName) == nil {
            let new = QueueHeader(batches: TestBatches.batches(of: tests), digest: digest)
            _ = try store.create(Self.headerName, new.text)
        }
        header = try Self.header(in: store)
        guard header.total == tests.count, header.digest == digest else {
            throw .otherTests(store.location, count: header.total, expected: tests.count)
        }
    }

    private static func header(in store: any QueueStore) throws(TestQueueError) -> QueueHeader {
        guard let header = try store.read(headerName).flatMap({ QueueHeader($0) }) else {
            throw .notAQueue(store.location)
        }
        return header
    }

    /// Returns the names of the files of events of all batches in a store.
    package static func eventFiles(in store: any QueueStore) throws(TestQueueError) -> [String] {
        try header(in: store).batches.indices.map { eventFile($0 + 1) }
    }

    private static func eventFile(_ number: Int) -> String { "events/\(number).jsonl" }

    private static func claimFile(_ number: Int, _ owner: Int) -> String { "claimed/\(number).\(owner)" }

    /// A Boolean value that indicates whether all batches have results.
    package func isFinished() throws(TestQueueError) -> Bool {
        try open(upTo: header.batches.count).isEmpty
    }

    /// Returns the numbers of the first batches without results.
    private func open(upTo last: Int) throws(TestQueueError) -> [Int] {
        let completed = progress.withLock { $0.completed }
        let open = (0..<last).map { $0 + 1 }.filter { !completed.contains($0) }
        let found = try store.existing(open.map(Self.eventFile))
        progress.withLock { progress in
            progress.completed.formUnion(open.filter { found.contains(Self.eventFile($0)) })
        }
        return open.filter { !found.contains(Self.eventFile($0)) }
    }

    /// Takes a batch: one of a machine that was lost, or else the next. Returns `nil` if others have the rest.
    package func claim() throws(TestQueueError) -> Claim? {
        let now = ContinuousClock.now
        let isDue = progress.withLock { progress in
            guard let last = progress.searchedAt else { return true }
            return (now - last) / .seconds(1) > lease / 4
        }
        if isDue, let claim = try claimLost() { return claim }
        if let claim = try claimNext() { return claim }
        return isDue ? nil : try claimLost()
    }

    /// Takes the first batch that was never taken.
    private func claimNext() throws(TestQueueError) -> Claim? {
        var first = progress.withLock { $0.first }
        var step = Self.step
        while first <= header.batches.count {
            let numbers = first...min(first + step - 1, header.batches.count)
            let taken = try store.existing(numbers.map { Self.claimFile($0, 1) })
            for number in numbers {
                let claim = taken.contains(Self.claimFile(number, 1)) ? nil : try take(number, 1)
                progress.withLock { $0.first = max($0.first, number + 1) }
                if let claim { return claim }
            }
            first = numbers.upperBound + 1
            step *= 2
        }
        return nil
    }

    /// Takes a batch of a machine that was lost or has returned it.
    private func claimLost() throws(TestQueueError) -> Claim? {
        progress.withLock { $0.searchedAt = .now }
        let last = progress.withLock { $0.first - 1 }
        var rest = try open(upTo: last)
        while !rest.isEmpty {
            let owners = progress.withLock { $0.owners }
            let claims = rest.map { (number: $0, owner: owners[$0] ?? 1) }
            let found = try store.existing(
                claims.flatMap { [Self.claimFile($0.number, $0.owner), Self.claimFile($0.number, $0.owner + 1)] })
            rest = []
            for (number, owner) in claims {
                if found.contains(Self.claimFile(number, owner + 1)) {
                    progress.withLock { $0.owners[number] = owner + 1 }
                    rest.append(number)
                } else if !found.contains(Self.claimFile(number, owner)) {
                    // The machine has returned the batch.
                    if let claim = try take(number, owner) { return claim }
                } else if let age = try store.age(of: Self.claimFile(number, owner)), age > lease,
                    let claim = try take(number, owner + 1)
                {
                    return claim
                }
            }
        }
        return nil
    }

    /// Creates a claim. Returns `nil` if another machine was faster.
    private func take(_ number: Int, _ owner: Int) throws(TestQueueError) -> Claim? {
        guard try store.create(Self.claimFile(number, owner), identity) else { return nil }
        progress.withLock { $0.owners[number] = owner }
        return Claim(
            number: number, tests: Set(header.batches[number - 1]), events: store.draft("\(number).\(owner).jsonl"),
            owner: owner)
    }

    /// Returns the description of a batch for events.
    package func shard(_ claim: Claim) -> TestShard {
        TestShard(
            index: claim.number, count: header.batches.count, total: header.total, digest: header.digest,
            machine: identity)
    }

    /// Extends the lease of a batch.
    package func keep(_ claim: Claim) throws(TestQueueError) {
        try store.renew(Self.claimFile(claim.number, claim.owner), identity)
    }

    /// Publishes the events of a batch, unless another machine has done so.
    package func complete(_ claim: Claim) throws(TestQueueError) {
        try store.publish(claim.events, as: Self.eventFile(claim.number))
        progress.withLock { _ = $0.completed.insert(claim.number) }
    }

    /// Returns a batch that was not completed, so that any machine can take it at once.
    package func release(_ claim: Claim) throws(TestQueueError) {
        try store.remove(Self.claimFile(claim.number, claim.owner))
    }
}
