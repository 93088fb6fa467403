import Diagnostics
import Expressions
import Files
import LaneModel
import LaneRun
import Processes

/// The program of a benchmark in the checkout or at its base.
struct BenchmarkProgram: Sendable {
    /// The name for messages.
    let name: String
    let words: [String]
    let directory: String
    private let environment: [String: String]
    private let scratch: String

    /// Builds the product in a directory, or takes the command.
    ///
    /// - Parameter directory: The package's directory in the checkout, or in the worktree of the base.
    init(_ settings: Settings, named name: String, in directory: String, _ context: StepContext) throws(StepFailure) {
        self.name = name
        self.directory = Self.directory(settings, in: directory)
        let isBase = directory != context.directory
        // The worktree has its own build directory.
        let environment = Self.environment(settings, isBase ? context.withOwnScratch : context)
        self.environment = environment
        scratch = try context.makeScratchDirectory("bench")
        guard let product = settings.string("product") else {
            words = RunAction.words(of: settings["command"])
            return
        }
        // Outside the worktree, which is removed, so that the next run builds only the files that differ.
        let options = isBase ? ["--scratch-path", "\(context.directory)/.build/lane-bench-base"] : []
        func swift(_ arguments: [String]) throws(StepFailure) -> CapturedRun {
            let words = ["build", "-c", "release"] + options + arguments
            let command = Command("swift", words, environment: environment, directory: directory).hidingMarks
            let run: CapturedRun
            do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
            guard run.report.succeeded else {
                let text = run.text + run.errorText
                throw StepFailure(
                    status: ExitStatus.buildFailed.rawValue, "\(name) does not build:\n\(text.suffix(4_000))")
            }
            return run
        }
        _ = try swift(["--product", product])
        let directoryOfProducts = try swift(["--show-bin-path"]).text.split(separator: "\n").last.map(String.init) ?? ""
        words = ["\(directoryOfProducts)/\(product)"] + (settings.strings("arguments") ?? [])
    }

    /// Takes the command of another program.
    init(
        peer name: String, _ words: [String], _ settings: Settings, _ context: StepContext
    ) throws(StepFailure) {
        self.name = name
        self.words = words
        directory = Self.directory(settings, in: context.directory)
        environment = Self.environment(settings, context)
        scratch = try context.makeScratchDirectory("bench")
    }

    /// Returns the directory in which a program runs.
    private static func directory(_ settings: Settings, in package: String) -> String {
        settings.string("directory").map { "\(package)/\($0)" } ?? package
    }

    private static func environment(_ settings: Settings, _ context: StepContext) -> [String: String] {
        var environment = context.environment
        environment.merge(settings.variables.map { ($0.name, $0.value) }) { $1 }
        // The order of a set's elements would change the number of instructions.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        return environment
    }

    /// Runs the program once. Returns the seconds, instructions or bytes that it took.
    ///
    /// - Parameter tool: The tool that measures, or `nil` for times.
    func measure(_ measure: Measure, by tool: MeasuringTool?, in context: StepContext) throws(StepFailure) -> Double {
        let file = "\(scratch)/count"
        let line = tool?.words(words, to: file) ?? words
        guard let program = line.first, !program.isEmpty else { throw .refused(["there is no command to run"]) }
        let command = Command(program, Array(line.dropFirst()), environment: environment, directory: directory)
        let run: CapturedRun
        do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
        guard run.report.succeeded else {
            let failure = StepFailure(of: "the benchmark of \(name)", run)
            throw StepFailure(status: run.report.status, failure.message)
        }
        guard let tool else {
            return (measure == .time ? run.report.duration : run.report.processorTime) / .seconds(1)
        }
        guard let count = tool.count(in: file) else {
            throw StepFailure("'\(line[0])' reported no measurement of \(name)")
        }
        return count
    }
}
