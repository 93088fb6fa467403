import Events
import OperatingSystem
import Text
import ToolOutput

/// A reader of the stacks of running test processes. It uses `eu-stack`, or gdb if that fails, and stops at a deadline.
struct StackReader: Sendable {
    /// The package with its environment.
    let package: SwiftPackage
    let processes: any ProcessRunner

    /// The time limit of `eu-stack`, which needs 0.1 s, and of gdb, which needs seconds.
    private static let quickLimit = Duration.milliseconds(2500)
    private static let limit = Duration.seconds(8)

    /// Returns the stacks of the test process that a command has started.
    ///
    /// - Parameters:
    ///   - leader: The ID of the started process, which may be a wrapper of the test process.
    ///   - binary: The path of the test binary, or `nil` if `swift test` runs it.
    func read(_ leader: Int32, binary: String?) -> StackReading {
        let tree = ObservedProcess.tree(of: leader)
        let program = binary.flatMap(resolvedPath)
        let process =
            tree.first { program != nil && $0.program == program } ?? tree.last {
                $0.program?.hasSuffix(".xctest") == true
            }
            ?? tree.first
        guard let process else { return .failure("the test process has ended") }
        let children = tree.filter { $0.id != process.id && $0.id != leader }.map(\.commandLine)
        var environment = package.environment
        // With this variable, both tools may download debug information.
        environment["DEBUGINFOD_URLS"] = nil
        let search = ExecutableSearch(environment: environment)
        let stacks: StackReading
        if (try? search.locate("eu-stack")) != nil {
            let words = ["-m", "-p", "\(process.id)"]
            stacks = run("eu-stack", words, environment, Self.quickLimit, ThreadStack.parse(euStack:))
        } else if (try? search.locate("gdb")) != nil {
            let words = ["-p", "\(process.id)", "-batch", "-nx", "-ex", "thread apply all backtrace"]
            stacks = run("gdb", words, environment, Self.limit, ThreadStack.parse(gdb:))
        } else {
            return .failure("reading the stacks of its threads requires eu-stack: apt-get install elfutils")
        }
        guard case .stacks(let threads, _) = stacks else { return stacks }
        return .stacks(threads, children: children)
    }

    private func run(
        _ tool: String, _ words: [String], _ environment: [String: String], _ limit: Duration,
        _ parse: ([UInt8]) -> [ThreadStack]
    ) -> StackReading {
        let command = Command(tool, words, environment: environment, directory: "/")
        guard let run = try? processes.capture(command, limits: RunLimits(timeout: limit, grace: .zero)) else {
            return .failure("\(tool) could not be started")
        }
        let threads = parse(run.standardOutput).filter { !$0.frames.isEmpty }
        guard threads.isEmpty else { return .stacks(threads, children: []) }
        if run.report.stoppedBy != nil { return .failure("\(tool) was ended after \(limit.inWords) without an answer") }
        return .failure(Self.reason(of: run.errorText, from: tool))
    }

    /// Returns the reason in the error output of a tool that read no stack.
    static func reason(of errors: String, from tool: String) -> String {
        let lines = errors.split(separator: "\n")
        if lines.contains(where: { $0.contains("Operation not permitted") || $0.contains("Permission denied") }) {
            return
                "the stacks of its threads cannot be read, because ptrace is not permitted: start the container with "
                + "'--cap-add SYS_PTRACE', or set kernel.yama.ptrace_scope to 0"
        }
        return "\(tool) read no stack" + (lines.last.map { ": \($0)" } ?? "")
    }
}

/// The stacks of a test process, or the reason why they could not be read.
enum StackReading: Sendable, Equatable {
    /// The stacks of the threads, and the command lines of child processes.
    case stacks([ThreadStack], children: [String])
    case failure(String)
}

/// The stacks of a process whose tests hang, with the directories that identify the package's functions.
struct HangReport: Sendable, Equatable {
    let reading: StackReading
    let products: String
    let root: String

    private static let childLimit = 3

    /// Returns the lines of the report with the stacks of the tests first.
    func lines(for tests: [TestID]) -> [String] {
        switch reading {
        case .failure(let reason): return [reason]
        case .stacks(let threads, let children):
            let running = children.prefix(Self.childLimit).map { "its child process '\($0)' is running" }
            let more = children.count - running.count
            return summary(of: threads, tests).lines + running + (more > 0 ? ["and \(more) more child processes"] : [])
        }
    }

    /// Returns a Boolean value that indicates whether a thread is in the test.
    func isIn(_ test: TestID) -> Bool {
        guard case .stacks(let threads, _) = reading else { return false }
        return summary(of: threads, [test]).isInTest
    }

    /// The names of the package's functions on the stacks.
    var functions: [String] {
        guard case .stacks(let threads, _) = reading else { return [] }
        return StackSummary.functions(on: threads, products: products, root: root)
    }

    private func summary(of threads: [ThreadStack], _ tests: [TestID]) -> StackSummary {
        StackSummary(threads, products: products, root: root, tests: tests)
    }
}
