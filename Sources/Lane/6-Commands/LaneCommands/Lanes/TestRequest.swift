import Actions
import Arguments
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestActions
import TestEngine
import Text

/// The part of a lane's command line that is for its `test` steps: patterns, options that override settings of the lane
/// file, and the list of the tests.
struct TestRequest {
    let lane: Lane
    let arguments: ParsedArguments
    /// The working directory. Paths on the command line are relative to it.
    let directory: String

    private static let schema = TestAction.schema

    /// The options without a setting in lane files.
    static let failed = Key<Bool>.flag(TestSetting.failed, help: "Run only the tests that failed in the last run.")
    private static let skipBuild = Key<Bool>.flag(TestSetting.skipBuild, help: "Run the tests without building them.")

    private static let noCapture = Key<Bool>.flag(
        TestSetting.noCapture, help: "Run one test after another in the terminal, without reading its output.")
    private static let debugger = Key<String?>.option(
        TestSetting.debugger, value: "debugger", help: "Run a single test in this debugger.",
        allowed: TestDebugger.allCases.map(\.rawValue))

    private static let archive = Key<String?>.option(
        TestSetting.archive, value: "file",
        help: "Build the tests and pack them for other machines, without running them.",
        completion: .file)
    private static let withSources = Key<Bool>.flag(
        TestSetting.withSources, help: "With --archive: also pack the package.")
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

    private static let list = Key<Bool>.flag(
        "list", help: "List the tests without running them; with --json as JSON.")

    private static let policy = "Test policy"
    private static let build = "Test build"
    private static let otherMachines = "Test on other machines"

    /// The sections of the help with the options that are not for the selection of tests.
    fileprivate static let furtherSections: Set = [policy, build, otherMachines]

    fileprivate static let specs: [ParameterSpec] =
        section("Test selection", TestAction.selectionSettings.map(spec) + [failed.spec, list.spec])
        + section(policy, TestAction.policySettings.map(spec) + [noCapture.spec, debugger.spec])
        + section(build, TestAction.buildSettings.map(spec) + [skipBuild.spec])
        + section(otherMachines, archiving)

    private static func section(_ title: String, _ specs: [ParameterSpec]) -> [ParameterSpec] {
        specs.map { $0.inSection(title) }
    }

    /// The names of the report options, which the run handles itself.
    private static let reports = LaneOptions.reports.map(\.name)

    /// Returns the action `test` with the options of the command line.
    ///
    /// - Parameter watch: The current round of `--watch`.
    func action(watch: WatchRound? = nil) -> TestAction {
        TestAction(overrides: lane.runsTests ? overrides : [:], watch: watch)
    }

    /// The values of the options by the names of their settings.
    private var overrides: [String: Value] {
        var values: [String: Value] = [:]
        // A parameter of the lane has its values for itself.
        let others = Set(Self.reports + lane.parameters.map(\.name))
        for setting in Self.schema.settings where !others.contains(setting.name) {
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
        for report in Self.reports where !arguments.words(report).isEmpty { values[report] = .null }
        if let number = arguments[LaneOptions.jobs]?.number { values["jobs"] = .integer(number) }
        if arguments[LaneOptions.failFast] { values["fail-fast"] = .bool(true) }
        if arguments[Self.failed] { values[TestSetting.failed] = .bool(true) }
        if arguments[Self.skipBuild] { values[TestSetting.skipBuild] = .bool(true) }
        if arguments[Self.noCapture] { values[TestSetting.noCapture] = .bool(true) }
        if let debugger = arguments[Self.debugger] { values[TestSetting.debugger] = .string(debugger) }
        if arguments[Self.withSources] { values[Self.withSources.spec.name] = .bool(true) }
        for file in [Self.archive, Self.from, Self.timings] {
            values[file.spec.name] = arguments[file].map { .string(absolutePath($0, from: directory)) }
        }
        return values
    }

    /// Returns messages for options that contradict each other or have no effect.
    fileprivate static func clashes(in arguments: ParsedArguments) -> [String] {
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

    /// Returns the paths of the files and directories that `test` steps read or write.
    static func files(in arguments: ParsedArguments) -> [String] {
        let settings = schema.settings.filter { $0.type == .path }.map(\.name)
        return (settings + [archive, from, timings].map(\.spec.name)).filter { !reports.contains($0) }
            .flatMap(arguments.words)
    }

    /// A Boolean value that indicates whether the tests are listed and not run.
    var isListing: Bool { lane.runsTests && arguments[Self.list] }

    /// A Boolean value that indicates whether packed tests run, which no other machine has later.
    var hasPackedTests: Bool { arguments[Self.from] != nil }

    /// A Boolean value that indicates whether the tests have the terminal. Live rows would be drawn over their output.
    var sharesTerminal: Bool { arguments[Self.noCapture] || arguments[Self.debugger] != nil }

    /// Returns the only test step if tests are packed or packed tests run. Other steps need the sources.
    func packedStep(of plan: Plan) throws(CommandFailure) -> StepID? {
        guard arguments[Self.archive] != nil || hasPackedTests else { return nil }
        let steps = plan.steps.filter { $0.task.action == .builtIn(.test) }.map(\.id)
        guard steps.count == 1 else {
            throw CommandFailure(
                .usage, "lane '\(plan.lane)' has \(steps.count) test steps, and an archive has the tests of one",
                hint: "use '--step' with one of: \(Text.list(firstOf: steps, joinedBy: "or"))")
        }
        return StepID(steps[0])
    }

    /// Returns a Boolean value that indicates whether words request packed tests, which need no package.
    static func hasPackedTests(_ words: [String]) -> Bool {
        words.contains { $0 == "--\(from.spec.name)" || $0.hasPrefix("--\(from.spec.name)=") }
    }

    /// Throws an error if options for the tests of one of several lanes are not at the end of the command line.
    static func check(_ requests: [LaneRequest]) throws(CommandFailure) {
        guard requests.count > 1 else { return }
        let testing = requests.filter { !$0.lane.stepOptions.isEmpty }
        guard testing.count > 1 || testing.first?.lane.name != requests.last?.lane.name else { return }
        for request in testing {
            guard let given = request.lane.stepOptions.first(where: request.arguments.gives) else { continue }
            throw CommandFailure(
                .usage, "'--\(given.name)' applies to the tests of one lane, but several lanes run",
                hint: "write '\(request.lane.name)' last, and no other lane with tests")
        }
    }

    private static func spec(_ setting: SettingSchema) -> ParameterSpec {
        let help = setting.help + "."
        if setting.type == .bool {
            return ParameterSpec(name: setting.name, kind: .flag(hasInverse: true), help: help)
        }
        let (type, repeats) =
            if case .list(let element) = setting.type { (element, true) } else { (setting.type, false) }
        if case .choice(let words) = type {
            return ParameterSpec(
                name: setting.name, kind: .option(value: "word", repeats: repeats), help: help, allowedValues: words)
        }
        return ParameterSpec(
            name: setting.name, kind: .option(value: type.word, repeats: repeats), help: help,
            completion: type == .path && !repeats ? .file : .none, expectation: type.expectation)
    }
}

extension Lane {
    /// A Boolean value that indicates whether the lane itself has a `test` step, whose settings are options of the lane.
    var runsTests: Bool { (steps + then + onFailure + always).contains { $0.runsTests } }

    /// The options of the lane for the settings of its own steps.
    var stepOptions: [ParameterSpec] {
        guard runsTests else { return [] }
        let taken = LaneOptions.names.union(parameters.map(\.name))
        let patterns = positionals.isEmpty ? [TestRequest.filter] : []
        return (patterns + TestRequest.specs).filter { !taken.contains($0.name) }
    }

    /// The options for the settings of steps of any lane.
    static let stepOptions = TestRequest.specs.filter { !LaneOptions.names.contains($0.name) }

    /// The sections of the options for the settings of steps that `--help-all` adds to the help of a lane.
    static let furtherStepSections = TestRequest.furtherSections

    /// An example command line with an option for the settings of the lane's steps, if it has such options.
    var stepExample: (options: String, meaning: String)? {
        runsTests ? ("--\(TestRequest.failed.spec.name)", "Run only the tests that failed in the last run.") : nil
    }

    /// A Boolean value that indicates whether words that are no names of lanes may be patterns of tests.
    var takesPatterns: Bool { positionals.isEmpty && stepOptions.first?.name == TestRequest.filter.name }

    /// Returns the error for a word that is the name of a lane and may be a pattern of tests.
    func ambiguity(of word: String) -> CommandFailure {
        CommandFailure(
            .usage, "'\(word)' is a lane, and could also be a filter of the tests",
            hint: "use 'lane \(name) \(LaneRequest.separator) \(word)' for both lanes, or '--filter \(word)'")
    }

    /// Returns messages for options that contradict each other or have no effect.
    static func clashes(in arguments: ParsedArguments) -> [String] {
        LaneOptions.clashes(in: arguments) + TestRequest.clashes(in: arguments)
    }
}

extension Step {
    fileprivate var runsTests: Bool {
        switch content {
        case .action(let kind, _): kind == .builtIn(.test)
        case .lane: false
        case .parallel(let steps): steps.contains { $0.runsTests }
        }
    }
}

extension SettingType {
    /// The placeholder for a value in a usage line.
    fileprivate var word: String {
        switch self {
        case .integer: "count"
        case .duration, .timeLimit: "duration"
        case .path: "file"
        default: "text"
        }
    }
}
