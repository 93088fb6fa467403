import CLibrary
import Events
package import OperatingSystem

/// The results of all recorded test runs of a package, in the file `.lane/tests/results`. `RunBlock` describes the
/// format.
///
/// Several processes may append at the same time. A damaged part of the file affects only the runs in that part.
package struct ResultStore: Sendable {
    /// The size in bytes above which the older half of the runs is removed. With a thousand tests, these are 600 runs.
    static let maximumSize = 8 << 20

    private let path: String
    private let maximumSize: Int

    /// Creates the store of the package at `root`.
    package init(root: String) { self.init(path: "\(root)/.lane/tests/results") }

    init(path: String, maximumSize: Int = ResultStore.maximumSize) {
        self.path = path
        self.maximumSize = maximumSize
    }

    /// Returns the recorded runs in the order of their start, or an empty array if there is no file.
    package func runs() -> [TestRunResults] { Self.runs(in: (try? readFile(path)) ?? []) }

    /// Returns the runs in the bytes of a history file, in the order of their start.
    static func runs(in bytes: [UInt8]) -> [TestRunResults] {
        var names: [UInt64: TestID] = [:]
        var runs: [TestRunResults] = []
        RunBlock.forEach(in: bytes) { content, _ in
            if let run = RunBlock.decode(content, names: &names) { runs.append(run) }
        }
        return runs.sorted { $0.startedAt < $1.startedAt }
    }

    /// Appends runs that have results and are not in the file.
    ///
    /// - Returns: The number of appended runs.
    @discardableResult
    package func add(_ runs: [TestRunResults]) throws(FileError) -> Int {
        let runs = runs.filter { !$0.results.isEmpty }
        guard !runs.isEmpty else { return 0 }
        try makeDirectories(parentDirectory(path))
        let lock = try FileLock("\(path).lock")
        defer { withExtendedLifetime(lock) {} }
        let bytes = (try? readFile(path)) ?? []
        var content = Content(of: bytes)
        var added: [UInt8] = []
        var count = 0
        for run in runs where content.identities.insert(Identity(run)).inserted {
            added += RunBlock.encode(run, known: &content.tests)
            count += 1
        }
        if bytes.count + added.count > maximumSize {
            try writeFile(Self.newerHalf(of: Self.runs(in: bytes + added), below: maximumSize / 2), to: path)
        } else if !added.isEmpty {
            try appendToFile(added, path)
        }
        return count
    }

    /// The start and results of a run, which detect a run that is imported twice.
    private struct Identity: Hashable {
        let startedAt: Double
        let results: Int
        let first: UInt64?

        init(_ run: TestRunResults) {
            startedAt = run.startedAt
            results = run.results.count
            first = run.results.first.map { $0.test.key }
        }
    }

    /// The known tests and runs of a file.
    private struct Content {
        var tests: Set<UInt64> = []
        var identities: Set<Identity> = []

        init(of bytes: [UInt8]) {
            var names: [UInt64: TestID] = [:]
            RunBlock.forEach(in: bytes) { content, _ in
                if let run = RunBlock.decode(content, names: &names) { identities.insert(Identity(run)) }
            }
            tests = Set(names.keys)
        }
    }

    /// Returns the blocks of the latest runs with at most `size` bytes in total, but at least the block of the last
    /// run.
    private static func newerHalf(of runs: [TestRunResults], below size: Int) -> [UInt8] {
        var first = runs.count
        var known: Set<UInt64> = []
        var total = 0
        while first > 0 {
            total += RunBlock.encode(runs[first - 1], known: &known).count
            guard total <= size || first == runs.count else { break }
            first -= 1
        }
        known = []
        return runs[first...].flatMap { RunBlock.encode($0, known: &known) }
    }
}
