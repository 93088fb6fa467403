import LaneEvents
import TestOutput

extension SanitizerReport {
    /// Whether one of its stacks comes through the file of this test below its first line; of several such tests the last
    /// one is meant.
    func passes(through test: TestInfo) -> Bool {
        guard let start = test.location else { return false }
        return ways.contains { $0.path == start.path && $0.line >= start.line }
    }
}
