import Diagnostics
import Files
import LaneRun
import Processes

/// The quantity that a benchmark measures.
enum Measure: String, Sendable {
    /// The time from the start to the end.
    case time
    /// The time on all processors, which includes child processes.
    case cpuTime = "cpu-time"
    case instructions
    case memory

    /// The unit of a measurement.
    enum Unit: Sendable {
        case seconds, instructions, bytes
    }

    var unit: Unit {
        switch self {
        case .time, .cpuTime: .seconds
        case .instructions: .instructions
        case .memory: .bytes
        }
    }
}

/// A program that counts the instructions or the memory of another one.
struct MeasuringTool: Sendable {
    enum Tool: Sendable {
        case perf, callgrind, gnuTime
    }

    private let tool: Tool

    /// Finds the tool for a measure, or returns `nil` if it needs none.
    ///
    /// Instructions are counted by `perf`, if the kernel lets it, or else by `valgrind`.
    static func find(for measure: Measure, in context: StepContext) throws(StepFailure) -> MeasuringTool? {
        let tools: [Tool]
        let failure: String
        switch measure {
        case .time, .cpuTime: return nil
        case .instructions:
            tools = [.perf, .callgrind]
            failure =
                "instructions cannot be counted: neither 'perf stat' nor 'valgrind --tool=callgrind' works here\n"
                + "hint: apt-get install valgrind, or use 'measure: time'"
        case .memory:
            tools = [.gnuTime]
            failure =
                "memory cannot be measured: 'time -f %M', GNU time, does not work here\nhint: apt-get install time"
        }
        for tool in tools {
            let counter = MeasuringTool(tool: tool)
            let file = "\(try context.makeScratchDirectory("bench"))/count"
            let words = counter.words(["true"], to: file)
            let command = Command(
                words[0], Array(words.dropFirst()), environment: context.environment, directory: context.directory)
            if let run = try? context.processes.capture(command), run.report.succeeded, counter.count(in: file) != nil {
                return counter
            }
        }
        throw StepFailure(status: ExitStatus.toolMissing.rawValue, failure)
    }

    /// Returns a command line that runs a program and writes the count to a file.
    func words(_ program: [String], to file: String) -> [String] {
        switch tool {
        case .perf: ["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", file, "--"] + program
        case .callgrind:
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(file)", "--"] + program
        case .gnuTime: ["time", "-f", "%M", "-o", file, "--"] + program
        }
    }

    /// Returns the count in a file, or `nil` if it has none.
    func count(in file: String) -> Double? { (try? readText(file)).flatMap { Self.count(in: $0, of: tool) } }

    /// Returns the count in the output of a tool, or `nil` if there is none.
    static func count(in text: String, of tool: Tool) -> Double? {
        for line in text.split(separator: "\n") {
            switch tool {
            case .perf:
                let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                if fields.count > 2, fields[2].hasPrefix("instructions"), let count = Double(fields[0]) { return count }
            case .callgrind:
                let words = line.split(separator: " ")
                if words.suffix(3).first == "Collected", let count = words.last.flatMap({ Double($0) }) { return count }
            case .gnuTime: if let kibibytes = Double(line) { return kibibytes * 1024 }
            }
        }
        return nil
    }
}
