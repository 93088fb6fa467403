import Files
package import LaneEvents
import Threads

/// Records the functions that each test executes, while its processes run one suite each.
package final class SuiteRecorder: Sendable {
    /// The key of a suite, or of a test that runs alone.
    package struct Key: Hashable, Sendable {
        package let module: String
        /// The class, the outermost suite, or the file of free functions.
        let suite: String
        /// The test in the suite, or `nil` for all tests of the suite.
        private(set) var test: String?

        package init(module: String, suite: String, test: String? = nil) {
            (self.module, self.suite, self.test) = (module, suite, test)
        }

        /// The key of all tests of the suite.
        package var whole: Key { Key(module: module, suite: suite) }

        /// The name in the record.
        var name: String { test.map { suite.isEmpty ? $0 : "\(suite)/\($0)" } ?? suite }
    }

    private struct State {
        var processes = 0
        var names: [Key: Set<Substring>] = [:]
        /// The suites with a process that wrote no profile.
        var incomplete: Set<Key> = []
    }

    /// A private directory for profiles.
    private let directory: String
    /// A closure that runs a tool of LLVM and returns its output, or `nil` if it fails.
    private let run: @Sendable (_ tool: String, _ arguments: [String]) -> [UInt8]?
    private let state = Monitor(State())

    package init(directory: String, run: @escaping @Sendable (_ tool: String, _ arguments: [String]) -> [UInt8]?) {
        self.directory = directory
        self.run = run
    }

    /// Returns the value of `LLVM_PROFILE_FILE` for a process and those that it starts, and the directory of its profiles.
    package func profile() -> (pattern: String, directory: String) {
        let number = state.withLock { state in
            state.processes += 1
            return state.processes
        }
        let path = "\(directory)/suite-\(number)"
        return ("\(path)/%p-%m.profraw", path)
    }

    /// Adds the profiles of a process that ran tests of a suite, and replaces them by one small profile.
    package func add(_ profiles: String, of key: Key) {
        let raw = ((try? listDirectory(profiles)) ?? []).filter { $0.hasSuffix(".profraw") }
        let merged = "\(profiles).profdata"
        defer { try? removeTree(profiles) }
        guard !raw.isEmpty,
            run("llvm-profdata", ["merge", "-sparse", "-o", merged] + raw.map { "\(profiles)/\($0)" }) != nil,
            let shown = run("llvm-profdata", ["show", "--all-functions", merged])
        else {
            state.withLock { _ = $0.incomplete.insert(key) }
            return
        }
        let names = FunctionTable.names(inProfile: shown)
        state.withLock { $0.names[key, default: []].formUnion(names) }
    }

    /// Returns the passed tests of each key, except those of a key with a failed test.
    package static func passed(_ attempts: [TestResult], keys: [TestID: Key]) -> [Key: [String]] {
        var passed: [Key: [String]] = [:]
        var failed: Set<Key> = []
        for result in attempts {
            guard let key = keys[result.test] else { continue }
            switch result.outcome {
            case .passed: passed[key, default: []].append(result.test.description)
            case .skipped: break
            default: failed.insert(key)
            }
        }
        return passed.filter { !failed.contains($0.key) }
    }

    /// Returns the record of the suites with passed tests, without commit and build.
    ///
    /// - Parameters:
    ///   - lcov: The output of `llvm-cov export -format=lcov` for the binaries.
    ///   - passed: The IDs of the passed tests of each suite in which no test failed.
    ///   - path: A closure that returns the path of a file in the record, or `nil` for a file outside.
    package func record(lcov: [UInt8], passed: [Key: [String]], path: (String) -> String?) -> SuiteRecord {
        let table = FunctionTable(lcov: lcov, path: path)
        let (names, incomplete) = state.withLock { ($0.names, $0.incomplete) }
        let suites = passed.compactMap { key, tests -> SuiteRecord.Suite? in
            // A function that the binaries do not contain is one of a program that the tests start.
            guard let names = names[key], !incomplete.contains(key), !tests.isEmpty,
                let executed = table.lines(of: names)
            else { return nil }
            return SuiteRecord.Suite(
                module: key.module, name: key.name, tests: tests.sorted(), executed: executed)
        }
        return SuiteRecord(
            commit: "", build: "", functions: table.lines,
            suites: suites.sorted { ($0.module, $0.name) < ($1.module, $1.name) })
    }
}
