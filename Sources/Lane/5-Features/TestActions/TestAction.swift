package import Actions
import ChangeImpact
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Records
package import TestEngine
import Text
import ToolOutput

/// The `test` action, with the settings of the lane file and those of the command line.
package struct TestAction: BuiltInStepAction {
    /// The settings of the command line, which override those of the lane file.
    private let overrides: [String: Value]
    /// The current round of `--watch`.
    private let watch: WatchRound?

    /// Creates the action.
    package init(overrides: [String: Value] = [:], watch: WatchRound? = nil) {
        self.overrides = overrides
        self.watch = watch
    }

    package var reportsTests: Bool { true }

    package func summary(of settings: Settings) -> String {
        let settings = merged(settings)
        if let path = settings.string(TestSetting.archive) { return "packs the tests into '\(path)'" }
        var words = ["runs the tests"]
        if let path = settings.string(TestSetting.from) { words.append("of '\(path)'") }
        if let patterns = settings.strings("filter"), !patterns.isEmpty {
            words.append("that match \(list(patterns.map { "'\($0)'" }))")
        }
        if let shard = settings.string("shard") { words.append("of part \(shard)") }
        if settings.string("configuration") == "release" { words.append("in release configuration") }
        return words.joined(separator: " ")
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let package = TestPackage(settings, in: context)
        try package.check()
        let (step, context) = (context, context.inPackage(package.directory))
        report(inapplicable: inapplicable(settings), in: context)
        let settings = merged(settings)
        var options = try TestOptions(settings)
        if let watch {
            options.choice.failedFirst = true
            options.choice.changedFiles = watch.changed
        }
        let startedAt = context.now()
        try options.requireCurrentQuarantine(at: startedAt)
        let archiving = TestArchiving(
            settings: settings, directory: context.directory, environment: context.environment)
        let pass = passRecord(settings, package, in: step)
        if let reason = pass?.reasonToSkip(settings, in: step, at: startedAt) { return StepResult(skipReason: reason) }
        let unpacked = try archiving.unpacked()
        defer { unpacked?.scratch.remove() }
        unpacked?.archive.adapt(&options)
        let changed = ChangedTests(
            directory: context.directory, environment: context.environment, processes: context.processes)
        let selection = archiving.target == nil ? try changed.select(settings, &options) : nil
        report(inapplicable: options.omitSettingsOfAllTests(), in: context)
        if let selection { context.report(.note, selection.summary) }
        let attachments = Attachments(settings, in: context)
        if archiving.target == nil { options.attachments = try attachments.begin(in: context) }
        let timings = TestHistory.timings(settings)
        let engine = engine(options, timings, unpacked, package, in: context)
        if let path = archiving.target { return try archiving.pack(engine, options, to: path, in: context) }
        defer { attachments.removeIfEmpty() }
        let changedCoverage = try ChangedCoverage(settings, in: context)
        let reports = StepReports(settings, in: step)
        var verdict: TestVerdict
        do throws(TestEngineFailure) {
            verdict = try engine.run()
        } catch {
            verdict = TestVerdict(error)
        }
        reportCoverage(options, settings, changedCoverage, &verdict, in: context)
        if verdict.counts.ended > 0 { context.send(.test(.origin(TestOrigin(of: context)))) }
        if verdict.status == .done, !verdict.hasNoTests { pass?.save(at: context.now()) }
        let mayBeEmpty = verdict.hasNoTests && settings.bool("allow-empty") ?? false
        if mayBeEmpty { verdict = TestVerdict(status: .done) }
        let coverageFiles = CoverageFiles(settings, in: context)
        watch?.written.note(reports.paths + coverageFiles.paths)
        let failures =
            reports.finish(status: verdict.rawValue, reason: verdict.reason)
            + coverageFiles.write(verdict.coverage, changed: changedCoverage, date: context.now())
        for failure in failures {
            guard verdict.status != .done else {
                throw OperationFailure(status: ExitStatus.cannotWrite.rawValue, failure.description)
            }
            context.report(.warning, failure.description)
        }
        // A successful verdict has a reason if no test ran.
        if verdict.status == .done, let reason = verdict.reason { context.report(.note, reason) }
        if mayBeEmpty { return StepResult(skipReason: "the package has no tests") }
        return try Self.result(verdict, isChangedOnly: selection != nil)
    }

    /// Returns the outputs of a successful run, or throws its failure.
    private static func result(
        _ verdict: TestVerdict, isChangedOnly: Bool
    ) throws(OperationFailure) -> StepResult {
        guard verdict.status == .done else { throw failure(verdict, isChangedOnly: isChangedOnly) }
        var outputs: [String: Value] = ["passed": .integer(verdict.counts.passed)]
        outputs["planned"] = .integer(verdict.counts.planned)
        if let coverage = verdict.coverage { outputs["coverage"] = .integer(Int(coverage.percent)) }
        return StepResult(outputs: outputs)
    }

    /// Reports the coverage, and applies the threshold for changed lines. The coverage of a part of the tests has no
    /// thresholds, and `lane merge` receives it.
    private func reportCoverage(
        _ options: TestOptions, _ settings: Settings, _ changed: ChangedCoverage?, _ verdict: inout TestVerdict,
        in context: StepContext
    ) {
        if let report = verdict.coverage {
            context.report(.note, (["line coverage of each file"] + report.table).joined(separator: "\n"))
        }
        if options.choice.shard == nil {
            if let table = changed?.apply(to: &verdict) { context.report(.note, table) }
        } else if let report = verdict.coverage {
            context.send(.coverage(shardCoverage(report, options, settings, changed)))
            context.report(.note, "'lane merge' adds the coverage of the other shards, and applies the thresholds")
        }
    }

    /// Returns the coverage of a part of the tests for `lane merge`.
    private func shardCoverage(
        _ report: CoverageReport, _ options: TestOptions, _ settings: Settings, _ changed: ChangedCoverage?
    ) -> ShardCoverage {
        let threshold = options.choice.modules == nil ? settings.integer(TestSetting.coverageThreshold) : nil
        return ShardCoverage(report, threshold: threshold, changed: changed)
    }

    /// Returns the record of passed tests, or `nil` if the step keeps none or the result does not depend on its settings
    /// alone.
    private func passRecord(_ settings: Settings, _ package: TestPackage, in context: StepContext) -> KeptPassRecord? {
        guard settings.bool(KeptPassRecord.setting) != nil, watch == nil, context.transaction == nil,
            !KeptPassRecord.exclusions.contains(where: { settings[$0] != nil && settings[$0] != .bool(false) })
        else { return nil }
        return KeptPassRecord(settings, package, in: context)
    }

    private func engine(
        _ options: TestOptions, _ timings: TestHistory?, _ unpacked: TestArchiving.Unpacked?, _ package: TestPackage,
        in context: StepContext
    ) -> TestEngine {
        let events = TestEvents(
            package: package, context: context, sources: FailureSources(root: unpacked?.directory ?? context.directory),
            missing: unpacked.map { MissingSources(root: $0.archive.tests.sourceRoot) })
        return TestEngine(
            options: options, package: unpacked?.directory ?? context.directory,
            environment: unpacked?.archive.environment(context.environment) ?? context.environment,
            processes: context.processes, cancellation: context.cancellation,
            history: TestHistory(root: context.root, package: package.history(in: context)),
            built: unpacked?.archive.tests, timings: timings, events: events)
    }

    package func merged(_ settings: Settings) -> Settings {
        let inapplicable = inapplicable(settings)
        let applicable = settings.values.filter { !inapplicable.contains($0.key) }
        return Settings(applicable.merging(overrides) { $1 }, span: settings.span)
    }

    private func report(inapplicable settings: [String], in context: StepContext) {
        for name in settings {
            context.report(.note, "'\(name)' does not apply, because only some tests run")
        }
    }

    /// Returns the settings of the lane file that do not apply, because the command line selects tests.
    private func inapplicable(_ settings: Settings) -> [String] {
        let selection = Settings(overrides)
        let isFiltered = ["filter", "skip"].contains { selection.strings($0) ?? [] != [] }
        guard isFiltered || selection.bool(TestSetting.failed) == true else { return [] }
        return TestSetting.ofAllTests.filter { name in
            selection[name] == nil && settings[name] ?? .bool(false) != .bool(false)
        }
    }

    private static func failure(_ verdict: TestVerdict, isChangedOnly: Bool) -> OperationFailure {
        var reason = verdict.reason ?? reason(verdict)
        // In `--changed main`, the branch is a pattern of tests.
        if isChangedOnly, verdict.status == .nothingRan, !reason.contains("\nhint: ") {
            reason += "\nhint: '--changed-base' names the commit to compare with"
        }
        return OperationFailure(status: verdict.rawValue, reason)
    }

    private static func reason(_ verdict: TestVerdict) -> String {
        let counts = verdict.counts
        let parts = [
            counts.failed > 0 ? "\(count(counts.failed, "test")) failed" : nil,
            counts.crashed > 0 ? "\(counts.crashed) crashed" : nil,
            counts.timedOut > 0 ? "\(counts.timedOut) timed out" : nil,
            counts.notRun > 0 ? "\(counts.notRun) did not run" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "a failure occurred outside any test" : list(parts, joinedBy: "and")
    }
}

/// The package that a step tests: that of the root, or of a directory below it.
struct TestPackage {
    /// The absolute path.
    let directory: String
    /// The path relative to the root, either empty or with a trailing `/`.
    let prefix: String

    init(_ settings: Settings, in context: StepContext) {
        directory =
            settings.string("directory").map { absolutePath($0, from: context.directory) }
            ?? context.workingDirectory
        prefix = directory == context.directory ? "" : relativePath(directory, to: context.directory) + "/"
    }

    /// Returns the directory of the package in the user's checkout, which the history is about.
    func history(in context: StepContext) -> String {
        prefix.isEmpty ? context.root : absolutePath(String(prefix.dropLast()), from: context.root)
    }

    /// Throws if the directory is missing or has no package.
    func check() throws(OperationFailure) {
        guard !prefix.isEmpty, !fileExists("\(directory)/Package.swift") else { return }
        throw OperationFailure(
            status: ExitStatus.fileNotFound.rawValue, "there is no 'Package.swift' in '\(prefix.dropLast())'")
    }
}

/// The events of the tests of a package: with paths relative to the root, and with what the sources tell about failures.
struct TestEvents: EventSink {
    let package: TestPackage
    let context: StepContext
    let sources: FailureSources
    /// The sources of packed tests that are not on this machine.
    let missing: MissingSources?

    func send(_ kind: LaneEvent.Kind) { context.send(located(sources.completed(missing?.explained(kind) ?? kind))) }

    private func located(_ kind: LaneEvent.Kind) -> LaneEvent.Kind {
        guard case .test(.attached(let test, let path)) = kind else { return kind.located(below: package.prefix) }
        return .test(.attached(test, path: relativePath(absolutePath(path, from: package.directory), to: context.root)))
    }
}

extension TestOrigin {
    /// Creates the origin of the results of a step.
    fileprivate init(of context: StepContext) {
        let status = try? GitStatus.read(Git(context))
        self.init(
            commit: status?.head, isModified: status?.changes.isEmpty == false, machine: Platform.name)
    }
}

extension TestHistory {
    /// Creates the history of the tests of a package.
    ///
    /// - Parameters:
    ///   - root: The root of the lanes, whose directory `.lane` contains the history.
    ///   - package: The directory of the package.
    package convenience init(root: String, package: String) {
        let path = package == root ? "" : relativePath(package, to: root) + "/"
        let isBelow = !path.hasPrefix("../") && !path.hasPrefix("/")
        self.init(path: isBelow ? "\(root)/.lane/tests/\(path)history" : "\(package)/.lane/tests/history")
    }

    /// Returns the recorded times of the option `--timings`, or `nil` if it is not set.
    package static func timings(_ settings: Settings) -> TestHistory? {
        settings.string(TestSetting.timings).map { TestHistory(path: $0) }
    }
}
