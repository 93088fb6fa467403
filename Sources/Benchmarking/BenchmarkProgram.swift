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
        self.directory = directory
        // The worktree has its own build directory.
        var environment = (directory == context.directory ? context : context.withOwnScratch).environment
        environment.merge(settings.variables.map { ($0.name, $0.value) }) { $1 }
        // The order of a set's elements would change the number of instructions.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        self.environment = environment
        scratch = try context.makeScratchDirectory("bench")
        guard let product = settings.string("product") else {
            words = RunAction.words(of: settings["command"])
            return
        }
        let build = ["build", "-c", "release", "--product", product]
        let options = ["build", "-c", "release", "--show-bin-path"]
        func swift(_ arguments: [String]) throws(StepFailure) -> CapturedRun {
            let command = Command("swift", arguments, environment: environment, directory: directory).hidingMarks
            let run: CapturedRun
            do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
            guard run.report.succeeded else {
                let text = run.text + run.errorText
                throw StepFailure(
                    status: ExitStatus.buildFailed.rawValue, "\(name) does not build:\n\(text.suffix(4_000))")
            }
            return run
        }
        _ = try swift(build)
        let directoryOfProducts = try swift(options).text.split(separator: "\n").last.map(String.init) ?? ""
        words = ["\(directoryOfProducts)/\(product)"] + (settings.strings("arguments") ?? [])
    }

    /// Runs the program once. Returns the seconds or the instructions that it took.
    ///
    /// - Parameter counter: The tool that counts instructions, or `nil` to measure the time.
    func measure(by counter: InstructionCounter?, in context: StepContext) throws(StepFailure) -> Double {
        let file = "\(scratch)/count"
        let line = counter?.words(words, to: file) ?? words
        guard let program = line.first, !program.isEmpty else { throw .refused(["there is no command to run"]) }
        let command = Command(program, Array(line.dropFirst()), environment: environment, directory: directory)
        let run: CapturedRun
        do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
        guard run.report.succeeded else {
            let failure = StepFailure(of: "the benchmark of \(name)", run)
            throw StepFailure(status: run.report.status, failure.message)
        }
        guard let counter else { return run.report.duration / .seconds(1) }
        guard let count = counter.count(in: file) else {
            throw StepFailure("the instructions of \(name) were not counted")
        }
        return count
    }
}
