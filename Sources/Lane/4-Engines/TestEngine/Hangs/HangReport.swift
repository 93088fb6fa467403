import Events
import ToolOutput

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
