import Arguments
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestActions
import TestEngine
import Text

/// The options for settings of the `test` action. They override the settings of the lane file.
enum TestOverrides {
    private static let schema = ActionSchema.test

    /// The options without a setting in lane files.
    static let failed = Key<Bool>.flag(TestSetting.failed, help: "Run only the tests that failed in the last run.")
    static let skipBuild = Key<Bool>.flag(TestSetting.skipBuild, help: "Run the tests without building them.")

    static let noCapture = Key<Bool>.flag(
        TestSetting.noCapture, help: "Run one test after another in the terminal, without reading its output.")
    static let debugger = Key<String?>.option(
        TestSetting.debugger, value: "debugger", help: "Run a single test in this debugger.",
        allowed: TestDebugger.allCases.map(\.rawValue))

    static let archive = Key<String?>.option(
        TestSetting.archive, value: "file",
        help: "Build the tests and pack them for other machines, without running them.",
        completion: .file)
    static let withSources = Key<Bool>.flag(TestSetting.withSources, help: "With --archive: also pack the package.")
    static let from = Key<String?>.option(
        TestSetting.from, value: "file", help: "Run the tests of an archive, without sources and compiler.",
        completion: .file)
    static let timings = Key<String?>.option(
        TestSetting.timings, value: "file",
        help: "Read recorded times from this file, which a run of all tests updates.",
        completion: .file)

    /// The options that pack tests or run packed tests.
    private static let archiving = [archive.spec, withSources.spec, from.spec, timings.spec]

    /// The words in `lane test One Two`, which mean `--filter One --filter Two`.
    static let filter = ParameterSpec(
        name: "filter", kind: .positional(repeats: true), help: "Run only tests whose name matches one of these.")

    static let list = Key<Bool>.flag(
        "list", help: "List the tests without running them; with --json as JSON.")

    private static let policy = "Test policy"
    private static let build = "Test build"
    private static let otherMachines = "Test on other machines"

    /// The sections of the help with the options that are not for the selection of tests.
    static let furtherSections: Set = [policy, build, otherMachines]

    static let specs: [ParameterSpec] =
        section("Test selection", ActionSchema.testSelection.compactMap(spec) + [failed.spec, list.spec])
        + section(policy, ActionSchema.testPolicy.compactMap(spec) + [noCapture.spec, debugger.spec])
        + section(build, ActionSchema.testBuild.compactMap(spec) + [skipBuild.spec])
        + section(otherMachines, archiving)

    private static func section(_ title: String, _ specs: [ParameterSpec]) -> [ParameterSpec] {
        specs.map { $0.inSection(title) }
    }

    /// The names of the report options, which the run handles itself.
    private static let reports = LaneOptions.reports.map(\.name)

    /// Returns the values by the names of their settings.
    ///
    /// - Parameter directory: The working directory. Paths on the command line are relative to it.
    static func values(in arguments: ParsedArguments, from directory: String) -> [String: Value] {
        var values: [String: Value] = [:]
        for setting in schema.settings where !reports.contains(setting.name) {
            let words = arguments.words(setting.name)
            switch setting.type {
            case .bool: values[setting.name] = arguments.flag(setting.name).map { .bool($0) }
            case .list where !words.isEmpty: values[setting.name] = .list(words.map { .string($0) })
            case .path: values[setting.name] = words.last.map { .string(absolutePath($0, from: directory)) }
            case .integer: values[setting.name] = words.last.flatMap { Int($0) }.map { .integer($0) }
            default: values[setting.name] = words.last.map { .string($0) }
            }
        }
        // A report of the command line replaces the one of the lane file.
        for report in reports where !arguments.words(report).isEmpty { values[report] = .null }
        if let number = arguments[LaneOptions.jobs]?.number { values["jobs"] = .integer(number) }
        if arguments[LaneOptions.failFast] { values["fail-fast"] = .bool(true) }
        if arguments[failed] { values[TestSetting.failed] = .bool(true) }
        if arguments[skipBuild] { values[TestSetting.skipBuild] = .bool(true) }
        if arguments[noCapture] { values[TestSetting.noCapture] = .bool(true) }
        if let debugger = arguments[debugger] { values[TestSetting.debugger] = .string(debugger) }
        if arguments[withSources] { values[withSources.spec.name] = .bool(true) }
        for file in [archive, from, timings] {
            values[file.spec.name] = arguments[file].map { .string(absolutePath($0, from: directory)) }
        }
        return values
    }

    /// Returns messages for options that contradict each other or have no effect.
    static func clashes(in arguments: ParsedArguments) -> [String] {
        var clashes: [String] = []
        let (packs, unpacks) = (arguments[archive] != nil, arguments[from] != nil)
        let isPart = !arguments.words("shard").isEmpty
        if arguments[LaneOptions.json], !arguments[LaneOptions.plan], !arguments[list] {
            clashes.append("The option '--json' goes with '--plan'")
        }
        if arguments[LaneOptions.watch], arguments[list] {
            clashes.append("The options '--watch' and '--list' exclude each other: a list runs nothing")
        }
        if packs, unpacks { clashes.append("The options '--archive' and '--from' exclude each other") }
        if packs, isPart {
            clashes.append("The options '--archive' and '--shard' exclude each other: an archive has all tests")
        }
        if arguments[withSources], !packs { clashes.append("The option '--with-sources' goes with '--archive'") }
        return clashes
    }

    /// Returns a Boolean value that indicates whether the tests have the terminal. Live rows would be drawn over their
    /// output.
    static func shareTerminal(_ arguments: ParsedArguments) -> Bool {
        arguments[noCapture] || arguments[debugger] != nil
    }

    /// Returns the only test step if tests are packed or packed tests run. Other steps need the sources.
    static func packedStep(of plan: Plan, _ arguments: ParsedArguments) throws(CommandFailure) -> StepID? {
        guard arguments[archive] != nil || arguments[from] != nil else { return nil }
        let steps = plan.steps.filter { $0.task.action == .builtIn(.test) }.map(\.id)
        guard steps.count == 1 else {
            throw CommandFailure(
                .usage, "lane '\(plan.lane)' has \(steps.count) test steps, and an archive has the tests of one",
                hint: "use '--step' with one of: \(Text.list(firstOf: steps, joinedBy: "or"))")
        }
        return StepID(steps[0])
    }

    /// Returns a Boolean value that indicates whether a word is the option for packed tests.
    static func isFrom(_ word: String) -> Bool {
        word == "--\(from.spec.name)" || word.hasPrefix("--\(from.spec.name)=")
    }

    private static func spec(_ setting: SettingSchema) -> ParameterSpec? {
        let help = setting.help + "."
        switch setting.type {
        case .bool: return ParameterSpec(name: setting.name, kind: .flag(hasInverse: true), help: help)
        case .list(.choice(let words)):
            return ParameterSpec(
                name: setting.name, kind: .option(value: "word", repeats: true), help: help, allowedValues: words)
        case .list(let element):
            return ParameterSpec(
                name: setting.name, kind: .option(value: element.word, repeats: true), help: help,
                expectation: element.expectation)
        case .choice(let words):
            return ParameterSpec(
                name: setting.name, kind: .option(value: "word", repeats: false), help: help, allowedValues: words)
        default:
            return ParameterSpec(
                name: setting.name, kind: .option(value: setting.type.word, repeats: false), help: help,
                completion: setting.type == .path ? .file : .none, expectation: setting.type.expectation)
        }
    }
}

extension SettingType {
    /// The placeholder for a value in a usage line.
    fileprivate var word: String {
        switch self {
        case .integer: "count"
        case .duration: "duration"
        case .path: "file"
        default: "text"
        }
    }
}
