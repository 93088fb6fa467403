import Files
package import LaneEvents
import Text

/// A queue of batches of tests in a directory that several machines share.
///
/// A machine takes a batch by renaming its file in `waiting` to one in `claimed`, which one machine at most can do. It
/// keeps the batch by setting the time of the claim again and again. A claim that is older than the lease belongs to a
/// machine that was lost, and another takes it over by renaming it. The results of a batch are complete once its file
/// of events is moved to `events`, where each batch has one name, so that none is reported twice.
package struct TestQueue: Sendable {
    /// A batch that a machine has taken.
    package struct Claim: Sendable, Equatable {
        /// The number of the batch, from 1.
        package let number: Int
        package let tests: Set<TestID>
        /// The file to which the machine writes the events of the batch.
        package let events: String
        fileprivate let name: String
    }

    /// The description of all batches.
    package let header: QueueHeader
    private let directory: String
    private let lease: Double
    /// A closure that returns the time in seconds since 1970, or `nil` for the time of the file system.
    private let clock: (@Sendable () -> Double)?

    private static let headerName = "queue"

    /// Opens the queue at a path, which is created unless another machine has done so.
    ///
    /// - Parameters:
    ///   - tests: All tests, which are divided into batches.
    ///   - lease: The time after which the batch of a machine that was lost goes to another.
    ///   - clock: A closure that returns the time, or `nil` for that of the file system, which is the same on all
    ///     machines.
    package init(
        at directory: String, tests: [TestInfo], lease: Duration, clock: (@Sendable () -> Double)? = nil
    ) throws(TestQueueError) {
        self.directory = directory
        self.lease = lease / .seconds(1)
        self.clock = clock
        let digest = QueueHeader.digest(of: tests.map(\.id))
        let found = try onFiles { () throws(FileError) in
            try Self.create(at: directory, tests, digest)
            return QueueHeader(try readText("\(directory)/\(Self.headerName)"))
        }
        guard let found else { throw .notAQueue(directory) }
        header = found
        guard header.total == tests.count, header.digest == digest else {
            throw .otherTests(directory, count: header.total, expected: tests.count)
        }
    }

    /// Creates the directory with all batches under another name, and renames it.
    private static func create(at directory: String, _ tests: [TestInfo], _ digest: String) throws(FileError) {
        guard !fileExists("\(directory)/\(headerName)") else { return }
        let parent = parentDirectory(directory)
        try makeDirectories(parent)
        let new = try makeTemporaryDirectory(in: parent, prefix: ".\(lastPathComponent(directory))")
        for name in Folder.allCases { try makeDirectories("\(new)/\(name.rawValue)") }
        let batches = TestBatches.batches(of: tests)
        let width = String(batches.count).utf8.count
        for (index, batch) in batches.enumerated() {
            let number = String(index + 1)
            let name = String(repeating: "0", count: width - number.utf8.count) + number
            try writeFile(BatchText.text(of: batch), to: "\(new)/\(Folder.waiting.rawValue)/\(name)")
        }
        let header = QueueHeader(batches: batches.count, total: tests.count, digest: digest)
        try writeFile(header.text, to: "\(new)/\(headerName)")
        do throws(FileError) {
            try moveFile(new, to: directory)
        } catch {
            try? removeTree(new)
            // Another machine was faster.
            guard fileExists("\(directory)/\(headerName)") else { throw error }
        }
    }

    private enum Folder: String, CaseIterable {
        case waiting, claimed, running, events
    }

    private func path(_ folder: Folder, _ name: String = "") -> String { "\(directory)/\(folder.rawValue)/\(name)" }

    private func names(_ folder: Folder) throws(FileError) -> [String] { try listDirectory(path(folder)).sorted() }

    /// A Boolean value that indicates whether all batches have results.
    package func isFinished() throws(TestQueueError) -> Bool {
        try onFiles { () throws(FileError) in try names(.events).count } >= header.batches
    }

    /// Takes a batch: one of a machine that was lost, or else the next. Returns `nil` if others have the rest.
    package func claim() throws(TestQueueError) -> Claim? {
        try onFiles { () throws(FileError) in
            for name in try names(.claimed) where try isLost(name) {
                guard let (number, owner) = Self.parts(of: name) else { continue }
                if let claim = try take(.claimed, name, as: "\(number).\(owner + 1)") { return claim }
            }
            for name in try names(.waiting) {
                if let claim = try take(.waiting, name, as: "\(name).1") { return claim }
            }
            return nil
        }
    }

    /// Renames a file to a claim. Returns `nil` if another machine was faster.
    private func take(_ folder: Folder, _ name: String, as claim: String) throws(FileError) -> Claim? {
        guard let (number, _) = Self.parts(of: claim), let value = Int(number) else { return nil }
        do throws(FileError) {
            // The time is set first, because the renamed file must not look like that of a lost machine.
            try renew(path(folder, name))
            try moveFile(path(folder, name), to: path(.claimed, claim))
            let tests = try BatchText.tests(in: readText(path(.claimed, claim)))
            return Claim(number: value, tests: tests, events: path(.running, "\(claim).jsonl"), name: claim)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    private func isLost(_ name: String) throws(FileError) -> Bool {
        guard let (number, _) = Self.parts(of: name) else { return false }
        do throws(FileError) {
            if fileExists(path(.events, "\(number).jsonl")) {
                // The machine was lost after it moved the results.
                try removeTree(path(.claimed, name))
                return false
            }
            return try modificationTime(of: path(.claimed, name)) + lease < now()
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }

    private func renew(_ path: String) throws(FileError) { try setModificationTime(of: path, to: clock?()) }

    private func now() throws(FileError) -> Double {
        if let clock { return clock() }
        let header = "\(directory)/\(Self.headerName)"
        try renew(header)
        return try modificationTime(of: header)
    }

    /// Extends the lease of a batch. Returns `false` if another machine has taken it over.
    @discardableResult
    package func keep(_ claim: Claim) throws(TestQueueError) -> Bool {
        try onFiles { () throws(FileError) in
            do throws(FileError) {
                try renew(path(.claimed, claim.name))
                return true
            } catch {
                guard error.isMissing else { throw error }
                return false
            }
        }
    }

    /// Publishes the events of a batch, unless another machine has done so.
    package func complete(_ claim: Claim) throws(TestQueueError) {
        guard let (number, _) = Self.parts(of: claim.name) else { return }
        try onFiles { () throws(FileError) in
            let target = path(.events, "\(number).jsonl")
            if fileExists(target) {
                try removeTree(claim.events)
            } else {
                try moveFile(claim.events, to: target)
            }
            try removeTree(path(.claimed, claim.name))
        }
    }

    /// Returns a batch that was not completed, so that any machine can take it at once.
    package func release(_ claim: Claim) throws(TestQueueError) {
        guard let (number, _) = Self.parts(of: claim.name) else { return }
        try onFiles { () throws(FileError) in
            try? removeTree(claim.events)
            do throws(FileError) {
                try moveFile(path(.claimed, claim.name), to: path(.waiting, number))
            } catch {
                guard error.isMissing else { throw error }
            }
        }
    }

    /// Returns the number of the batch, as written, and the number of its owners so far.
    private static func parts(of name: String) -> (number: String, owner: Int)? {
        let parts = name.split(separator: ".")
        guard parts.count == 2, let owner = Int(parts[1]) else { return nil }
        return (String(parts[0]), owner)
    }
}

private func onFiles<Result>(_ body: () throws(FileError) -> Result) throws(TestQueueError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
}
