import Arguments
import OperatingSystem
import Records
import Text

/// The commands `lane history tests` and `lane history import`.
enum TestHistoryCommand {
    static let tests = "tests"
    static let importing = "import"

    static let files = Key<[String]>.positionals(
        "operand",
        help: "With show and diff: runs, as numbers of the list or as files of '--events'. "
            + "With import: history files or event logs of other machines.", completion: .file)
    private static let flaky = Key<Bool>.flag("flaky", help: "With tests: show only flaky tests.")
    private static let commit = Key<String?>.option(
        "commit", value: "hash",
        help: "With import: the commit of event logs that do not name it.")

    static let options = [flaky.spec, commit.spec]

    /// Prints the flaky and broken tests.
    static func show(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let runs = ResultStore(root: root).runs()
        guard !runs.isEmpty else {
            throw CommandFailure(
                .nothingRan, "no test run is recorded", hint: "run 'lane test', or use 'lane history import'")
        }
        let history = HistoryAssessment(runs)
        let parts: [HistoryPart] = arguments[flaky] ? [.flaky] : [.flaky, .broken]
        world.output.write(HistoryText(history, style: world.style(for: world.output)).text(parts))
        return .done
    }

    /// Adds the runs in files of other machines. Adds nothing if a file cannot be read.
    static func add(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        guard !arguments[files].isEmpty else {
            throw CommandFailure(.usage, "the files are missing", hint: "use 'lane history import FILE…'")
        }
        var runs: [TestRunResults] = []
        var errors: [String] = []
        var status = ExitStatus.refused
        for name in arguments[files] {
            let path = absolutePath(name, from: world.directory)
            do {
                if let found = try ResultFile.runs(in: readStream(path), commit: arguments[commit]) {
                    runs += found
                } else {
                    errors.append("'\(name)' is not a history file or an event log")
                }
            } catch let error as ResultFileError {
                errors.append("\(name)\(error.line.map { ":\($0)" } ?? ""): \(error.reason)")
            } catch {
                errors.append("\(error)")
                status = .fileNotFound
            }
        }
        guard errors.isEmpty else { throw CommandFailure(status, errors.joined(separator: "\nerror: ")) }
        let added = try convertingFileErrors(to: CommandFailure.self, of: ResultStore(root: root).add(runs))
        let known = runs.count - added
        world.output.writeLine(
            "added \(count(added, "run"))" + (known > 0 ? "; \(known) were in the history already" : ""))
        return .done
    }
}
