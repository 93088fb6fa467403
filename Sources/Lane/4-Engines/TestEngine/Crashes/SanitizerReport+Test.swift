import Events
import ToolOutput

extension SanitizerReport {
    /// Returns a Boolean value that indicates whether a stack trace contains a line of this test, that is, a line of
    /// its file after its declaration and before the next test.
    func passes(through test: TestInfo) -> Bool {
        guard let start = test.location else { return false }
        return ways.contains { $0.path == start.path && $0.line >= start.line }
    }
}
