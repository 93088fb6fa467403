import Actions
import Events
import Expressions
import LaneFixtures
import LaneModel
import OperatingSystem
import Records
import Runner
import StepActions
import TestSupport
import Testing
import Text

/// Tests of `directory`, `foreach` and `steps.ID.outcome` in runs of lane files.
@Suite struct StepKeyRunTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(
        _ text: String, _ part: RunOptions.Part = .all, arguments: [String] = [], keepsGoing: Bool = false
    ) throws -> Recorder {
        let checked = LaneFiles.check([SourceFile(path: "Lanes/main.yml", text: text)], with: .samples)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        let recorder = Recorder()
        var options = RunOptions(jobs: 1, grace: .seconds(5))
        options.part = part
        if keepsGoing { options.failurePolicy = .keepGoing }
        var context = EvaluationContext()
        context.arguments = arguments
        let runner = LaneRunner(
            plan: try Planner(checked).plan(lane: "main"), actions: ["run": RunAction()],
            in: RunEnvironment(
                root: directory.path, variables: ["PATH": "/usr/bin:/bin"], processes: ChildRunner(),
                cancellation: Cancellation(), now: { 0 }, evaluation: context),
            events: EventStream(
                elapsed: { .zero }, receivers: [recorder, RunRecorder(RunStore(root: directory.path))]),
            options: options)
        _ = runner.run()
        return recorder
    }

    @Test func commandsRunInTheDirectoryOfTheStepOrTheLane() throws {
        for name in ["site/x", "tool/x", "own/x", "x"] { try directory.write("", to: name) }
        let record = try run(
            """
            directory: site
            env: { TOOL: tool }
            steps:
              - run: basename "$PWD"
              - { run: basename "$PWD", directory: "${{ env.TOOL }}" }
              - run: { command: basename "$PWD", directory: own }
              - { run: test -f site/x && echo root, directory: . }
            """)
        #expect(record.output == "site\ntool\nown\nroot\n")
    }

    /// An earlier step may create the directory, so it must exist only when the step starts.
    @Test func aMissingDirectoryIsReportedAtItsLocation() throws {
        let record = try run(
            """
            steps:
              - run: mkdir made; touch file
              - { run: echo made, directory: made }
              - { id: a, run: echo never, directory: gone, continue-on-error: true }
              - { run: echo never, directory: file }
            """)
        #expect(record.output == "made\n")
        let messages = record.outcomes.sorted { $0.key < $1.key }.compactMap { outcome -> Substring? in
            if case .failed(let status, let message) = outcome.value, status == 65 {
                message.prefix { $0 != "\n" }
            } else {
                nil
            }
        }
        #expect(
            messages == [
                "Lanes/main.yml:4:42: error: there is no directory 'gone'",
                "Lanes/main.yml:5:35: error: 'file' is not a directory",
            ])
        #expect(record.retries.isEmpty)
    }

    @Test func laterStepsReadTheOutcome() throws {
        let record = try run(
            """
            steps:
              - { id: good, run: "true" }
              - { id: bad, run: "false", continue-on-error: true }
              - { id: not, run: "true", if: "false" }
              - run: echo ${{ steps.good.outcome }} ${{ steps.bad.outcome }} ${{ steps.not.outcome }}
              - { run: echo after, if: "steps.bad.outcome == 'failed' && steps.not.outcome == 'skipped'" }
              - { id: last, run: exit 3 }
              - { id: blocked, run: "true" }
            on-failure:
              - { run: echo hook, if: "steps.last.outcome == 'failed' && steps.blocked.outcome == 'skipped'" }
              - { run: echo never, if: "steps.last.outcome == 'succeeded'" }
            """)
        #expect(record.output == "succeeded failed skipped\nafter\nhook\n")
    }

    @Test func aResumedRunReadsTheOutcomesOfTheFirst() throws {
        let lane = """
            steps:
              - { id: a, run: echo "x=1" >> "$LANE_OUTPUT" }
              - run: test -f allowed
              - run: echo ${{ steps.a.outcome }} ${{ steps.a.x }}
            """
        _ = try run(lane)
        try directory.write("", to: "allowed")
        let record = try run(lane, .rest)
        #expect(record.outcomes["main/a"] == .skipped(reason: "done in the last run"))
        #expect(record.output == "succeeded 1\n")
    }

    /// A step that its action skipped is skipped in later runs, too.
    @Test func aResumedRunReadsTheOutcomeOfASkippedStep() throws {
        func run(_ part: RunOptions.Part) -> Recorder {
            var lane = ScriptedRun()
            lane.root = directory.path
            lane.keepsRecords = true
            lane.options.part = part
            lane.script("skip") { _, _ in StepResult(skipReason: "nothing to do") }
            lane.add("a", "skip", outputs: ["a.txt"])
            lane.add("b", "run", after: ["a"], settings: [("command", .string("test -f allowed"))])
            lane.add("c", after: ["b"], condition: "steps.a.outcome == 'skipped'")
            return lane.run().record
        }
        try directory.write("", to: "a.txt")
        #expect(run(.all).outcomes["lane/a"] == .skipped(reason: "nothing to do"))
        try directory.write("", to: "allowed")
        #expect(run(.rest).outcomes["lane/c"] == .passed)
        let later = run(.all)
        #expect(later.outcomes["lane/a"] == .upToDate)
        #expect(later.outcomes["lane/c"] == .passed)
    }

    @Test func aRunWithOtherArgumentsIsNotResumed() throws {
        let lane = """
            steps:
              - run: [echo, "${{ arguments }}"]
              - run: test -f allowed
            """
        _ = try run(lane, arguments: ["one"])
        try directory.write("", to: "allowed")
        #expect(try run(lane, .rest, arguments: ["two"]).started == [])
        #expect(try run(lane, .rest, arguments: ["one"]).started == ["main/run-2"])
    }

    @Test func variablesOfEarlierStepsArePartOfTheFingerprint() throws {
        func lane(_ value: String) -> String {
            """
            steps:
              - { id: set, run: 'echo "X=\(value)" >> "$LANE_ENV"' }
              - { run: 'echo $X', inputs: [in] }
            """
        }
        try directory.write("", to: "in")
        #expect(try run(lane("1")).output == "1\n")
        #expect(try run(lane("1")).output == "")
        #expect(try run(lane("2")).output == "2\n")
        // The variables are not known before the run.
        let plan = try Planner(LaneFiles.check([SourceFile(path: "Lanes/main.yml", text: lane("2"))], with: .samples))
            .plan(
                lane: "main")
        let forecast = UpToDateForecast(root: directory.path)
        let context = EvaluationContext(environment: ["PATH": "/usr/bin:/bin"])
        #expect(forecast.status(of: plan.steps[1], RunAction(), in: context, plan: plan) == .unknown)
    }

    @Test func anOutputIsNoVariable() throws {
        let record = try run("steps: [{ id: a, run: echo '$PATH=/nowhere' >> \"$LANE_OUTPUT\" }, run: ls]")
        let message = "'$PATH' is not a valid name of an output\nhint: use letters, digits, '-' and '_'"
        #expect(record.outcomes["main/a"] == .failed(status: 1, message: message))
    }

    /// The scripts are longer than an argument can be.
    @Test(arguments: ["", " | cat"]) func aScriptOfAnyLengthRuns(pipe: String) throws {
        let comment = "# " + String(repeating: "'", count: 200_000)
        let record = try run("steps:\n  - run: |\n      \(comment)\n      echo done\(pipe)\n  - run: 'false | true'")
        #expect(record.output == "done\n")
        #expect(record.outcomes["main/run-2"] == .failed(status: 1, message: "exit status 1"))
    }

    /// A step that reads a file of a failed step does not run, nor one that reads a file of such a step.
    @Test func filesOfFailedStepsAreNotRead() throws {
        try directory.write("", to: "in")
        let record = try run(
            """
            steps:
              - { id: late, run: sleep 0.01 }
              - { id: makes, run: exit 3, outputs: ["out/${{ steps.late.outcome }}/*"] }
              - { id: reads, run: "true", inputs: [out/succeeded/a], outputs: [next] }
              - { id: reads-next, run: "true", inputs: [next] }
              - { id: free, run: "true", inputs: [in] }
            """, keepsGoing: true)
        #expect(record.outcomes["main/reads"] == .skipped(reason: "'exit 3' failed"))
        #expect(record.outcomes["main/reads-next"] == .skipped(reason: "'exit 3' failed"))
        #expect(record.outcomes["main/free"] == .passed)
    }

    @Test func aStepRunsForEachItem() throws {
        let lane = """
            steps:
              - run: echo ${{ item }} $X
                foreach: [a, "b 'c'", "$HOME"]
                if: "!startsWith(item, 'zzz')"
                env: { X: "<${{ item }}>" }
              - run: test -f ${{ item }}
                foreach: [x, y]
            """
        let first = try run(lane)
        #expect(first.output == "a <a>\nb 'c' <b 'c'>\n$HOME <$HOME>\n")
        #expect(first.outcomes["main/run-4"] == .failed(status: 1, message: "exit status 1"))
        for name in ["x", "y"] { try directory.write("", to: name) }
        #expect(try run(lane, .rest).started == ["main/run-4", "main/run-5"])
        // Different values result in a different plan.
        _ = try run(lane.replacing("[x, y]", with: "[x, z]"))
        #expect(try run(lane, .rest).started == [])
    }

    /// A changed directory changes the plan, and a step with inputs runs again.
    @Test func theDirectoryIsPartOfTheFingerprint() throws {
        for name in ["a/x", "b/x"] { try directory.write("", to: name) }
        func lane(_ directory: String) -> String {
            "steps: [{ run: basename \"$PWD\", directory: \(directory), inputs: [a/x] }]"
        }
        #expect(try run(lane("a")).output == "a\n")
        #expect(try run(lane("a")).output == "")
        #expect(try run(lane("b")).output == "b\n")
    }

    @Test func anOutputCannotHaveTheNameOfTheOutcome() throws {
        let record = try run("steps: [{ id: a, run: echo \"outcome=fine\" >> \"$LANE_OUTPUT\" }]")
        #expect(
            record.outcomes["main/a"] == .failed(status: 65, message: "the name of an output cannot be 'outcome'"))
    }

    @Test func theOutputsOfForeachAreLists() throws {
        let record = try run(
            """
            steps:
              - id: size
                run: echo "n=${{ item }}$(ls | wc -l)" >> "$LANE_OUTPUT"; touch f${{ item }}
                foreach: [a, b]
              - run: echo ${{ join(steps.size.n, '+') }} ${{ steps.size.n[1] }} ${{ steps.size.outcome }}
              - { id: bad, run: "test ${{ item }} = 1", foreach: [1, 2], continue-on-error: true }
              - run: echo ${{ steps.bad.outcome }}
            """)
        #expect(record.output == "a0+b1 b1 succeeded\nfailed\n")
    }

    @Test func laterStepsOfAResumedRunSeeTheOutputsOfForeach() throws {
        let text = """
            steps:
              - { id: size, run: 'echo "n=${{ item }}" >> "$LANE_OUTPUT"', foreach: [a, b] }
              - { id: end, run: "test -f ok && echo ${{ join(steps.size.n, '+') }}" }
            """
        #expect(try run(text).output == "")
        try directory.write("", to: "ok")
        #expect(try run(text, .rest).output == "a+b\n")
        #expect(try run(text, .only(StepID("main/end"))).output == "a+b\n")
    }
}
