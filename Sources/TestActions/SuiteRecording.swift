import ChangeImpact
import Diagnostics
import Expressions
import Files
import Git
import LaneEvents
import LaneModel
import LaneRun
import Processes
import SuiteCoverage
import TestEngine

/// The setting `changed-record`: the file with the functions that each test executes, for `changed`.
struct SuiteRecording {
    static let setting = "changed-record"

    private let path: String

    /// - Parameter root: The directory of the lanes' state. Jobs of CI keep its `.build` in a cache.
    init(root: String) { path = "\(root)/.build/suite-coverage" }

    /// Returns the record of an earlier run, or `nil` if there is none.
    func read() -> SuiteRecord? { (try? readFile(path)).flatMap { SuiteRecord(parsing: $0) } }

    /// Throws if a run with these options does not record all suites.
    static func requireAllTests(_ options: TestOptions) throws(StepFailure) {
        guard options.recordsSuites else { return }
        var all = options.choice
        (all.filter, all.skip, all.failedOnly, all.shard) = ([], [], false, nil)
        let problem: String? =
            options.throughSwiftTest
            ? "'swift test' runs the tests"
            : options.choice != all
                ? "only some tests run" : options.attempts.repetitions > 1 ? "tests are repeated" : nil
        if let problem {
            throw StepFailure(status: ExitStatus.usage.rawValue, "'\(setting)' records nothing if \(problem)")
        }
    }

    /// Writes the record of a run. A failed test is not in it, so it always runs.
    func write(_ verdict: TestVerdict, _ options: TestOptions, in context: StepContext) throws(StepFailure) {
        guard let record = verdict.suites else { return }
        if verdict.status == .done { try write(record, options, in: context) }
        // The failure of the tests takes precedence.
        if verdict.status == .failed { try? write(record, options, in: context) }
    }

    private func write(_ record: SuiteRecord, _ options: TestOptions, in context: StepContext) throws(StepFailure) {
        let git = Git(context)
        let repository = try Repository.find(git)
        let status = try GitStatus.read(git)
        guard let head = status.head else {
            throw StepFailure(status: ExitStatus.refused.rawValue, "'\(Self.setting)' needs a commit to record for")
        }
        let top = resolvedPath(repository.topLevel) ?? repository.topLevel
        let changed = ChangedTests(
            directory: context.directory, root: context.root, environment: context.environment,
            processes: context.processes)
        var record = record
        do throws(Undecided) {
            record.changedFiles = try changed.changedFiles(since: head).paths
        } catch {
            throw error.failure ?? StepFailure(status: ExitStatus.refused.rawValue, error.reason)
        }
        (record.commit, record.build) = (head, options.buildDescription)
        record.functions = Self.relative(record.functions, to: top)
        for index in record.suites.indices {
            record.suites[index].executed = Self.relative(record.suites[index].executed, to: top)
        }
        do throws(FileError) {
            try makeDirectories(parentDirectory(path))
            try writeFile(record.bytes, to: path)
        } catch {
            throw StepFailure(status: ExitStatus.cannotWrite.rawValue, "\(error)")
        }
        context.report(
            .note,
            "recorded the functions that \(count(record.suites.reduce(0) { $0 + $1.tests.count }, "test")) executed at \(head.prefix(9))"
        )
    }

    private static func relative(_ lines: [String: [Int]], to top: String) -> [String: [Int]] {
        Dictionary(lines.map { (relativePath($0.key, to: top), $0.value) }) { first, _ in first }
    }
}

extension TestOptions {
    /// The options that decide which code is built.
    var buildDescription: String {
        let words =
            [EvaluationContext.architecture, build.configuration] + build.sanitizers.map { "--sanitize=\($0)" }
            + build.arguments
        return words.joined(separator: " ").filter { $0 != "\t" && $0 != "\n" }
    }
}

extension ChangedTests {
    /// The maximum number of files whose versions are compared.
    private static let maximumFiles = 500

    /// Returns the files that changed since a record, with their versions.
    func changes(
        since record: SuiteRecord, _ package: PackageState, _ options: TestOptions
    ) throws(Undecided) -> RecordedChanges {
        guard record.build == options.buildDescription else {
            throw Undecided("it was recorded with other options of the build, '\(record.build)'")
        }
        guard let known = try? git.attempt(["cat-file", "-e", "\(record.commit)^{commit}"]), known.report.succeeded
        else {
            throw Undecided("its commit \(record.commit.prefix(9)) is not in this clone")
        }
        let (paths, _) = try changedFiles(since: record.commit)
        guard paths.count <= Self.maximumFiles else {
            throw Undecided("\(paths.count) files changed since \(record.commit.prefix(9))")
        }
        let top = try orUndecided { () throws(StepFailure) in try Repository.find(git).topLevel }
        var files: [String: RecordedChanges.Versions] = [:]
        for path in paths {
            guard path.hasSuffix(".swift") else {
                files[path] = RecordedChanges.Versions(old: nil, new: nil)
                continue
            }
            let shown = try? git.attempt(["cat-file", "blob", "\(record.commit):\(path)"])
            files[path] = RecordedChanges.Versions(
                old: shown.flatMap { $0.report.succeeded ? $0.standardOutput : nil },
                new: try? readFile("\(top)/\(path)"))
        }
        return RecordedChanges(
            record: record, files: files, manifest: manifestChange(since: record.commit, paths, package))
    }
}
