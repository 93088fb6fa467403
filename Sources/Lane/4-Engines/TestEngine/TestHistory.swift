package import Events
package import OperatingSystem
import Synchronization
import Text

/// The recorded duration and result of each test in earlier runs.
///
/// The history is a text file with one test per line, separated by spaces: `x` or `s` for the library, microseconds,
/// `-` or `!` for outstanding, and the name. An unreadable file is ignored.
package final class TestHistory: Sendable {
    private struct Entry {
        var microseconds: Int?
        var isOutstanding: Bool
    }

    private static let heading = "lane test history 1"
    /// The valid durations in microseconds, up to a year. Other values are damaged.
    private static let possible = 0...31_536_000_000_000

    /// The line of the file if the last run failed.
    private static let failedRun = "run failed"

    private let path: String
    private let lastRunFailed: Mutex<Bool>
    private let entries: Mutex<[TestID: Entry]>

    /// Reads the file at `path`, if it exists. `save` writes the file.
    package init(path: String) {
        self.path = path
        let text = try? readFile(path)
        entries = Mutex(text.map(Self.parse) ?? [:])
        lastRunFailed = Mutex(
            text?.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(Self.failedRun.utf8) } ?? false)
    }

    /// Creates an empty history without a file.
    package init() {
        path = ""
        entries = Mutex([:])
        lastRunFailed = Mutex(false)
    }

    /// Returns the recorded duration of a test, or `nil` if it never ran.
    package func duration(of test: TestID) -> Duration? {
        entries.withLock { $0[test]?.microseconds.map { .microseconds($0) } }
    }

    /// A Boolean value that indicates whether any earlier run has recorded the test.
    func knows(_ test: TestID) -> Bool { entries.withLock { $0[test] != nil } }

    /// Returns a Boolean value that indicates whether a test did not succeed in the last run that included it.
    package func isOutstanding(_ test: TestID) -> Bool {
        entries.withLock { $0[test]?.isOutstanding ?? false }
    }

    /// A Boolean value that indicates whether the last run failed, possibly without a failed test.
    package var hasFailedRun: Bool {
        get { lastRunFailed.withLock { $0 } }
        set { lastRunFailed.withLock { $0 = newValue } }
    }

    /// A hash of the recorded durations, to compare machines that share a run, or `nil` if there are none.
    package var fingerprint: String? {
        let lines = entries.withLock { entries in
            entries.filter { $0.value.microseconds != nil }.map { test, entry in
                Self.line(test, Entry(microseconds: entry.microseconds, isOutstanding: false))
            }
        }
        guard !lines.isEmpty else { return nil }
        return String(StableHash(of: lines.sorted().joined(separator: "\n")).value, radix: 36)
    }

    /// Records the final result of a test.
    ///
    /// - Parameter keepsTimes: A Boolean value that indicates whether the recorded durations are kept.
    package func record(_ result: TestResult, keepsTimes: Bool = false) {
        entries.withLock { entries in
            var entry = entries[result.test] ?? Entry(isOutstanding: false)
            let duration = keepsTimes ? nil : result.duration
            switch result.outcome {
            case .passed:
                entry.isOutstanding = false
                entry.microseconds = Self.smoothed(entry.microseconds, duration)
            case .skipped: entry.isOutstanding = false
            case .failed:
                entry.isOutstanding = true
                entry.microseconds = Self.smoothed(entry.microseconds, duration)
            case .crashed, .timedOut, .notRun: entry.isOutstanding = true
            }
            entries[result.test] = entry
        }
    }

    /// Adds the results of a run, which another history has recorded.
    ///
    /// - Parameter others: The tests without a result that still exist, or `nil` to keep all.
    package func add(_ results: TestHistory, keeping others: Set<TestID>?) {
        let results = results.entries.withLock { $0 }
        entries.withLock { entries in
            // Without earlier results, both have one storage.
            if entries.isEmpty {
                entries = results
                return
            }
            for (test, new) in results {
                let duration = new.microseconds.map { Duration.microseconds($0) }
                entries[test] = Entry(
                    microseconds: Self.smoothed(entries[test]?.microseconds, duration), isOutstanding: new.isOutstanding
                )
            }
            guard let others else { return }
            let gone = entries.keys.filter { results[$0] == nil && !others.contains($0) }
            for test in gone { entries[test] = nil }
        }
    }

    /// Removes tests that no longer exist.
    package func keep(only tests: some Sequence<TestID>) {
        let tests = Set(tests)
        entries.withLock { entries in entries = entries.filter { tests.contains($0.key) } }
    }

    /// The contents of the file.
    package var text: [UInt8] {
        var bytes: [UInt8] = []
        var lines: [Range<Int>] = []
        entries.withLock { entries in
            for (test, entry) in entries {
                let start = bytes.count
                bytes += Self.line(test, entry).utf8
                lines.append(start..<bytes.count)
            }
        }
        lines.sort { bytes[$0].lexicographicallyPrecedes(bytes[$1]) }
        let head = hasFailedRun ? "\(Self.heading)\n\(Self.failedRun)\n" : "\(Self.heading)\n"
        return lines.reduce(into: Array(head.utf8)) { $0 += bytes[$1] + [UInt8(ascii: "\n")] }
    }

    /// Writes the file atomically, if there is one.
    package func save() throws(FileError) {
        guard !path.isEmpty else { return }
        try makeDirectories(parentDirectory(path))
        try writeFile(text, to: path)
    }

    /// Returns the mean of the recorded and the new duration. This limits the effect of outliers.
    private static func smoothed(_ before: Int?, _ duration: Duration?) -> Int? {
        guard let duration else { return before }
        let now = Int(duration / .microseconds(1))
        return before.map { ($0 + now) / 2 } ?? now
    }

    private static func line(_ test: TestID, _ entry: Entry) -> String {
        var line = test.library == .xctest ? "x " : "s "
        line.reserveCapacity(24 + test.module.utf8.count + test.suite.utf8.count + test.name.utf8.count)
        line += entry.microseconds.map(String.init) ?? "?"
        line += entry.isOutstanding ? " ! " : " - "
        for part in [test.module, "\t", test.suite, "\t", test.name] { line += part }
        return line
    }

    private static func parse(_ text: [UInt8]) -> [TestID: Entry] {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard lines.first?.elementsEqual(heading.utf8) == true else { return [:] }
        var entries = [TestID: Entry](minimumCapacity: lines.count)
        for line in lines.dropFirst() {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            guard parts.count == 4 else { continue }
            let name = parts[3].split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard name.count == 3 else { continue }
            let test = TestID(
                library: parts[0].first == UInt8(ascii: "x") ? .xctest : .swiftTesting, module: name[0], suite: name[1],
                name: name[2])
            entries[test] = Entry(
                microseconds: Int(String(decoding: parts[1], as: UTF8.self)).flatMap {
                    possible.contains($0) ? $0 : nil
                },
                isOutstanding: parts[2].first == UInt8(ascii: "!"))
        }
        return entries
    }
}
