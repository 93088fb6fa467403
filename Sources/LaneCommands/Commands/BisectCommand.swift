import Arguments
import Bisection
import CommitTesting
import Diagnostics
import Files
import Git
import LaneEvents
import LaneModel
import LaneRun
import LaneSources
import ResultHistory
import Text

/// The command `lane bisect`.
enum BisectCommand: Subcommand {
    static let name = "bisect"

    private static let target = Key<String?>.positional(
        "target", help: "A lane, or else the tests with this name, as in 'lane test NAME'.",
        completion: .dynamic(LaneCatalog.topicName))
    private static let words = Key<[String]>.positionals("argument", help: "The arguments of the lane, after '--'.")
    private static let good = Key<String?>.option(
        "good", value: "revision", help: "A commit at which the tests or the lane succeed.")
    private static let bad = Key<String>.option(
        "bad", value: "revision", default: "HEAD", help: "A commit at which they fail.")
    private static let repetitions = Key<Int?>.option(
        "repeat", value: "count",
        help:
            "Require this many successful runs of a good commit. By default, the number follows from a flaky test's rate."
    )
    private static let resume = Key<Bool>.flag("resume", help: "Continue the interrupted bisection.")

    static let spec = CommandSpec(
        name, abstract: "Find the commit that broke tests or a lane.",
        discussion: """
              lane bisect ParserTests --good 1.2.0
              lane bisect ci --good HEAD~50 -- --fast

            Builds the commits in a private worktree, with incremental builds; the checkout may have changes and is not \
            touched. Tests the bad commit first, and the good one only if all others are bad. Another commit is bad if \
            a test or step fails that fails at the bad commit. A commit is skipped if it does not build, lacks the \
            tests, or ends a step of the lane with exit status 125. A commit without the file of the lane uses the \
            lane files of the checkout.

            The output at each commit is in .lane/bisect.

            EXIT STATUSES:
              0    the commit was found
              1    several commits remain, because commits between them cannot be tested
              65   the bad commit succeeds, the good one fails, or one of them cannot be tested
            """,
        parameters: [target.spec, words.spec, good.spec, bad.spec, repetitions.spec, resume.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let directory = BisectionDirectory(root: root)
        let git = Git(in: root, environment: world.environment, processes: world.processes)
        let (record, history) =
            try arguments[resume]
            ? continued(arguments, directory, git) : begun(arguments, git, in: world)
        return try BisectionRun(root: root, directory: directory, record: record, history: history)
            .run(git, isNew: !arguments[resume], in: world)
    }

    /// Returns the state of the interrupted bisection.
    private static func continued(
        _ arguments: ParsedArguments, _ directory: BisectionDirectory, _ git: Git
    ) throws(CommandFailure) -> (BisectionRecord, CommitHistory) {
        guard arguments[target] == nil, arguments[good] == nil, arguments.words(bad.spec.name).isEmpty,
            arguments[repetitions] == nil
        else {
            throw CommandFailure(.usage, "'--resume' continues the interrupted bisection, without other arguments")
        }
        guard let record = directory.read() else {
            throw CommandFailure(.fileNotFound, "no bisection was interrupted", hint: "'--good' starts one")
        }
        return (record, try history(good: record.good, bad: record.bad, git))
    }

    private static func begun(
        _ arguments: ParsedArguments, _ git: Git, in world: World
    ) throws(CommandFailure) -> (BisectionRecord, CommitHistory) {
        guard let name = arguments[target] else {
            throw CommandFailure(.usage, "the test or the lane is missing", hint: "lane bisect NAME --good REVISION")
        }
        guard let good = arguments[good] else {
            throw CommandFailure(
                .usage, "the option '--good' is missing", hint: "it names a commit at which '\(name)' succeeds")
        }
        if let count = arguments[repetitions], !(1...10_000).contains(count) {
            throw CommandFailure(.usage, "expected a number from 1 to 10000 for '--repeat', found \(count)")
        }
        let target = try target(name, arguments[words], in: world)
        let history = try history(good: good, bad: arguments[bad], git)
        return (
            BisectionRecord(
                target: target, good: history.good.hash, bad: history.commits.last?.hash ?? "",
                repetitions: arguments[repetitions]), history
        )
    }

    /// Returns the lane with a name, or the tests if there is no such lane. Prints a note if the name could mean both.
    private static func target(
        _ name: String, _ words: [String], in world: World
    ) throws(CommandFailure) -> BisectionRecord.Target {
        let catalog = try LaneCatalog.load(remote: .mentioned(orIn: [name, "test"]), in: world)
        if catalog.isLane(name) {
            let tests = TestSeries.all(in: ResultStore(root: catalog.project.root).runs()).map(\.test.description)
            if tests.contains(where: { $0.contains(name) }) {
                world.errors.writeLine(
                    "note: '\(name)' is a lane, and also part of the names of tests; the lane is bisected")
            }
            // Other commits may lack the alias.
            return .lane(catalog.files.name(of: name), arguments: words)
        }
        guard words.isEmpty else {
            throw CommandFailure(
                .usage, "there is no lane '\(name)', and tests take no arguments: found '\(words[0])'")
        }
        guard catalog.isLane("test"), try catalog.lane("test").runs(.test) else {
            throw CommandFailure(
                .usage, "there is no lane '\(name)', and no lane 'test' that could run tests with this name",
                hint: "use 'lane list' to list the lanes")
        }
        return .test(name)
    }

    private static func history(good: String, bad: String, _ git: Git) throws(CommandFailure) -> CommitHistory {
        do throws(StepFailure) {
            _ = try Repository.find(git)
            return try CommitHistory.read(good: good, bad: bad, git)
        } catch {
            throw CommandFailure(error)
        }
    }
}
