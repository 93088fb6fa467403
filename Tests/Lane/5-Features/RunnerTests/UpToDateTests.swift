import Actions
import CLibrary
import Events
import Expressions
import OperatingSystem
import Runner
import TestSupport
import Testing

@testable import LaneModel

@Suite struct UpToDateTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("one", to: "in/a.txt")
        try directory.write("two", to: "in/deep/b.txt")
    }

    /// Runs a lane with one step that copies its inputs into one file.
    func run(
        inputs: [String] = ["in/**"], optional: Set<Int> = [], outputs: [String] = ["out.txt"],
        script: String = "cat in/*.txt > out.txt",
        environment: [(String, Template)] = [], forced: Bool = false
    ) -> (outcome: StepEnd.Outcome?, record: Recorder) {
        var lane = ScriptedRun()
        lane.root = directory.path
        lane.keepsRecords = true
        lane.options.isForced = forced
        lane.options.explains = true
        lane.add(
            "a", "run", environment: environment, settings: [("command", .string(script))], inputs: inputs,
            optionalInputs: optional, outputs: outputs)
        let (_, record) = lane.run()
        return (record.outcomes["lane/a"], record)
    }

    func age(_ path: String) {
        var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        utimes("\(directory.path)/\(path)", &times)
    }

    @Test func theSecondRunIsUpToDate() {
        let first = run()
        #expect(first.outcome == .passed)
        #expect(first.record.messages == ["note: runs because it has not succeeded before"])
        let second = run()
        #expect(second.outcome == .upToDate)
        #expect(second.record.started.isEmpty)
        #expect(run(forced: true).outcome == .passed)
    }

    /// The program of a custom action is an input. For an action of another repository, its kept description is.
    @Test(arguments: ["Lanes/actions/own", ".lane/actions/own"])
    func aChangedActionRuns(program: String) throws {
        func run() -> StepEnd.Outcome? {
            var lane = ScriptedRun()
            lane.root = directory.path
            lane.keepsRecords = true
            lane.script("own") { _, _ in StepResult() }
            lane.add("a", "own", inputs: ["in/**"])
            return lane.run().record.outcomes["lane/a"]
        }
        try directory.write("echo one", to: program)
        #expect(run() == .passed)
        #expect(run() == .upToDate)
        try directory.write("echo two", to: program)
        #expect(run() == .passed)
        #expect(run() == .upToDate)
    }

    /// The command is longer than the hash buffer, and each of its parts is changed.
    @Test(arguments: [0, 4_090, 4_100, 9_999])
    func aLongCommandIsHashedCompletely(place: Int) {
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        func script(_ filler: [UInt8]) -> String {
            "cat in/*.txt > out.txt # " + String(decoding: filler, as: UTF8.self)
        }
        #expect(run(script: script(filler)).outcome == .passed)
        #expect(run(script: script(filler)).outcome == .upToDate)
        var changed = filler
        changed[place] = UInt8(ascii: "y")
        let again = run(script: script(changed))
        #expect(again.record.messages == ["note: runs because its settings or environment changed"])
    }

    @Test func aTouchedFileIsUnchanged() {
        #expect(run().outcome == .passed)
        age("in/a.txt")
        #expect(run().outcome == .upToDate)
    }

    /// Size and time are the same, so only the content and the time of the read show the change.
    @Test func aChangeWithoutANewStampIsDetected() throws {
        #expect(run().outcome == .passed)
        try directory.write("ONE", to: "in/a.txt")
        let again = run()
        #expect(again.outcome == .passed)
        #expect(again.record.messages == ["note: runs because 'in/a.txt' changed"])
    }

    @Test func aNameThatIsNotUTF8IsANameLikeOthers() throws {
        let name: [CChar] = "\(directory.path)/in/caf".utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
        let descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(run().outcome == .passed)
        #expect(run().outcome == .upToDate)
        #expect(write(descriptor, "1", 1) == 1)
        #expect(run().record.messages == ["note: runs because 'in/caf\u{FFFD}' changed"])
        unlink(name)
        #expect(run().record.messages == ["note: runs because 'in/caf\u{FFFD}' is gone"])
    }

    /// Opening a pipe to read would block until a process opens it to write.
    @Test(arguments: ["in/**", "in/pipe"])
    func aPipeAsInputIsNotRead(input: String) throws {
        let pipe = "\(directory.path)/in/pipe"
        #expect(mkfifo(pipe, 0o644) == 0)
        #expect(run(inputs: [input]).outcome == .passed)
        #expect(run(inputs: [input]).outcome == .upToDate)
        unlink(pipe)
        try directory.write("", to: "in/pipe")
        #expect(run(inputs: [input]).record.messages == ["note: runs because 'in/pipe' changed"])
    }

    /// The names are equal as `String` but different to the system.
    @Test(arguments: [["in/*"], ["in/**"], ["in"], ["in/c*", "in/*\u{E9}*", "in/*\u{301}*"]])
    func unicodeFormsOfANameAreTwoFiles(inputs: [String]) throws {
        let names = ["in/caf\u{E9}", "in/cafe\u{301}"]
        for name in names { try directory.write("1", to: name) }
        let script = "cat in/caf* > out.txt"
        #expect(run(inputs: inputs, script: script).outcome == .passed)
        for name in names {
            try directory.write("2", to: name)
            #expect(run(inputs: inputs, script: script).outcome == .passed, "\(Array(name.utf8))")
        }
        #expect(try directory.read("out.txt") == "22")
        #expect(run(inputs: inputs, script: script).outcome == .upToDate)
    }

    @Test func newAndMissingInputsAreReported() throws {
        #expect(run().outcome == .passed)
        try directory.write("", to: "in/c.txt")
        #expect(run().record.messages == ["note: runs because 'in/c.txt' is new"])
        unlink("\(directory.path)/in/deep/b.txt")
        #expect(run().record.messages == ["note: runs because 'in/deep/b.txt' is gone"])
        #expect(run().outcome == .upToDate)
    }

    @Test func missingAndChangedOutputsAreMadeAgain() throws {
        #expect(run().outcome == .passed)
        unlink("\(directory.path)/out.txt")
        #expect(run().record.messages == ["note: runs because its output 'out.txt' is gone"])
        try directory.write("tampered", to: "out.txt")
        #expect(run().outcome == .passed)
        #expect(try directory.read("out.txt") == "one")
    }

    @Test func changedSettingsAreOutdated() {
        #expect(run().outcome == .passed)
        let otherSettings = run(script: "cat in/a.txt > out.txt")
        #expect(otherSettings.record.messages == ["note: runs because its settings or environment changed"])
        #expect(run(script: "cat in/a.txt > out.txt").outcome == .upToDate)
        #expect(run(script: "cat in/a.txt > out.txt", environment: [("X", Template("1"))]).outcome == .passed)
    }

    @Test func aFailedStepIsNotUpToDate() {
        #expect(run(script: "exit 1").outcome == .failed(status: 1, message: "exit status 1"))
        #expect(run(script: "exit 1").outcome == .failed(status: 1, message: "exit status 1"))
    }

    @Test func anOptionalInputMayBeMissing() throws {
        #expect(run(inputs: ["in/a.txt", "Package.resolved"], optional: [1]).outcome == .passed)
        #expect(run(inputs: ["in/a.txt", "Package.resolved"], optional: [1]).outcome == .upToDate)
        try directory.write("{}", to: "Package.resolved")
        #expect(run(inputs: ["in/a.txt", "Package.resolved"], optional: [1]).outcome == .passed)
    }

    @Test(arguments: ["Sorces/**", "Sorces", "in/c.txt", "in/[id].txt", "in/*.{ts,tsx}", "!in/a.txt", "gone/{a,b}"])
    func anInputWithoutFilesIsAnError(pattern: String) {
        let message = """
            no files match the input '\(pattern)'
            hint: correct it, or write '{ path: \(pattern), optional: true }' if there may be none
            """
        for inputs in [[pattern], ["in/a.txt", pattern]] {
            #expect(run(inputs: inputs).outcome == .failed(status: 65, message: message))
            #expect(run(inputs: inputs, optional: [inputs.count - 1]).outcome == .passed)
        }
    }

    @Test(arguments: ["in/[id].txt", "in/{x,y}.txt", "in/{a,b}.txt", "in/{deep/*,z}.txt", "in/{a,{q,r}}.txt"])
    func aPatternSeesChangesOfItsFiles(pattern: String) throws {
        try directory.write("1", to: "in/[id].txt")
        try directory.write("1", to: "in/{x,y}.txt")
        #expect(run(inputs: [pattern]).outcome == .passed)
        #expect(run(inputs: [pattern]).outcome == .upToDate)
        for name in ["[id].txt", "{x,y}.txt", "a.txt", "deep/b.txt"] {
            try directory.write("changed", to: "in/\(name)")
        }
        #expect(run(inputs: [pattern]).outcome == .passed)
    }

    @Test func missingOutputsAreReported() {
        #expect(run().outcome == .passed)
        let missing = run(outputs: ["nothing.txt"]).record.messages
        #expect(
            missing == [
                "note: runs because its settings or environment changed",
                "warning: the step did not make its output 'nothing.txt', so it is never up to date",
            ])
    }

    /// Links are matched and not followed, and hidden files are ignored.
    @Test(arguments: [
        ("in", ["in/a.txt", "in/deep/b.txt", "in/loop"]), ("in/*.txt", ["in/a.txt"]),
        ("**/*.txt", ["in/a.txt", "in/deep/b.txt"]), ("**", ["in/a.txt", "in/deep/b.txt", "in/loop"]),
        ("in/*/b.tx?", ["in/deep/b.txt"]), ("in/[a-b].txt", ["in/a.txt"]), ("in/[!a].txt", []),
        ("in/**/b.txt", ["in/deep/b.txt"]), ("*", ["in/a.txt", "in/deep/b.txt", "in/loop"]),
        (".hidden/*", [".hidden/c.txt"]), ("in/deep/../*.txt", ["in/deep/../a.txt"]), ("gone/*", []),
    ])
    func aPatternMatchesItsFiles(pattern: String, files: [String]) throws {
        try directory.write("", to: ".hidden/c.txt")
        symlink("..", "\(directory.path)/in/loop")
        #expect(FilePattern(pattern).files(below: directory.path) == files)
        let root = directory.path
        #expect(FilePattern("\(root)/\(pattern)").files(below: "/nowhere") == files.map { "\(root)/\($0)" })
    }

    /// Files that several packages share are outside the package.
    @Test(arguments: ["", "/*", "/**"], [false, true])
    func filesOutsideTheRootCanBeInputs(ending: String, isAbsolute: Bool) throws {
        let other = try TemporaryDirectory()
        try other.write("1", to: "deep/shared.txt")
        let up = String(repeating: "../", count: directory.path.pathComponents.count) + other.path.dropFirst()
        let inputs = [(isAbsolute ? other.path : up) + ending]
        #expect(run(inputs: inputs).outcome == .passed)
        #expect(run(inputs: inputs).outcome == .upToDate)
        try other.write("2", to: "deep/shared.txt")
        #expect(run(inputs: inputs).outcome == .passed)
    }

    @Test func anOutputCanBeOutsideTheRoot() throws {
        let other = try TemporaryDirectory()
        try other.write("", to: "made.txt")
        #expect(run(outputs: [other.path + "/made.txt"]).outcome == .passed)
        #expect(run(outputs: [other.path + "/made.txt"]).outcome == .upToDate)
    }

    @Test func aForecastAgreesWithARun() throws {
        var lane = ScriptedRun()
        lane.root = directory.path
        lane.keepsRecords = true
        lane.add("a", "pass", inputs: ["in/**"])
        lane.add("b", "pass")
        func forecast() -> [UpToDateForecast.Status] {
            let forecast = UpToDateForecast(root: directory.path)
            let context = EvaluationContext(environment: lane.environment)
            let plan = Plan(lane: "lane", steps: lane.steps, groups: lane.groups, secrets: [])
            return lane.steps.map { forecast.status(of: $0, nil, in: context, plan: plan) }
        }
        #expect(forecast() == [.outdated(reason: "it has not succeeded before"), .alwaysRuns])
        #expect(try entries(of: directory.path) == ["in"])
        #expect(lane.run().status == 0)
        #expect(forecast() == [.upToDate, .alwaysRuns])
        try directory.write("three", to: "in/a.txt")
        #expect(forecast() == [.outdated(reason: "'in/a.txt' changed"), .alwaysRuns])
    }

    /// A run inside a step writes the same file. Its records remain, and so do its removals.
    @Test func aRunInsideAStepKeepsItsRecords() throws {
        @Sendable func run(
            _ step: String, isForced: Bool = false,
            _ body: @escaping @Sendable () throws(OperationFailure) -> Void = { () throws(OperationFailure) in }
        ) -> Recorder {
            var lane = ScriptedRun()
            lane.root = directory.path
            lane.keepsRecords = true
            lane.options.isForced = isForced
            lane.script("own") { _, _ throws(OperationFailure) in
                try body()
                return StepResult()
            }
            lane.add("first", inputs: ["in/a.txt"])
            lane.add(step, "own", after: ["first"], inputs: ["in/**"])
            return lane.run().record
        }
        _ = run("broken")
        _ = run("outer") { () throws(OperationFailure) in
            _ = run("inner")
            _ = run("broken", isForced: true) { () throws(OperationFailure) in throw OperationFailure("no") }
        }
        #expect(run("inner").outcomes["lane/inner"] == .upToDate)
        #expect(run("outer").outcomes["lane/outer"] == .upToDate)
        #expect(run("broken").outcomes["lane/broken"] == .passed)
    }

    @Test func aDamagedCacheIsEmpty() throws {
        #expect(run().outcome == .passed)
        let state = try directory.read(".lane/state")
        for text in ["", "nonsense", String(state.prefix(state.count / 2))] {
            try directory.write(text, to: ".lane/state")
            #expect(run().outcome == .passed)
        }
    }
}
