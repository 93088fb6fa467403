import Actions
import LaneModel
import OperatingSystem
import Reports
import TestEngine
import Text

/// The record of passed tests that a step with the setting `unless-passed` keeps.
struct KeptPassRecord {
    static let setting = "unless-passed"
    /// The settings with which the result of the tests says nothing about the next run.
    static let exclusions = [
        TestSetting.failed, TestSetting.skipBuild, TestSetting.noCapture, TestSetting.debugger, TestSetting.archive,
        TestSetting.from, "changed",
    ]

    private let record: PassRecord
    /// The state before the tests run.
    private let state: UInt64?

    init(_ settings: Settings, _ package: TestPackage, in context: StepContext) {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in settings.sortedMembers where name != Self.setting { writer.member(name, value) }
        }
        record = PassRecord(
            file: "\(context.root)/.lane/tests/\(package.prefix)passed", package: package.directory,
            settings: writer.text, reports: Self.reports(settings, in: context), environment: context.environment,
            processes: context.processes)
        state = record.state()
    }

    /// Returns the absolute paths of the files that the step writes. They may be in the package.
    private static func reports(_ settings: Settings, in context: StepContext) -> Set<String> {
        let names =
            ReportOption.all.map(\.name) + CoverageFormat.all.map { "coverage-\($0.name)" }
            + ["events", "timings", "attachments"]
        return Set(names.compactMap { settings.string($0).map { absolutePath($0, from: context.root) } })
    }

    /// Returns the reason why the tests need not run, or `nil` if they do. Removes the record before they run.
    func reasonToSkip(_ settings: Settings, in context: StepContext, at date: Double) -> String? {
        if settings.bool(Self.setting) == true, !context.isForced, let state,
            let age = record.age(of: state, at: date)
        {
            return
                "they passed \(Duration.seconds(age).rough) ago, with the same files, settings, variables and toolchain"
        }
        record.remove()
        return nil
    }

    /// Records that all tests passed, unless a file changed while they ran.
    func save(at date: Double) {
        guard let state, record.state() == state else { return }
        record.save(state, at: date)
    }
}
