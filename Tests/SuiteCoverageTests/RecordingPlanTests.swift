import LaneEvents
import Testing

@testable import SuiteCoverage

@Suite struct RecordingPlanTests {
    private func tests(_ names: [(suite: String, count: Int)]) -> [TestInfo] {
        names.flatMap { suite, count in
            (0..<count).map { number in
                let isFree = suite.hasSuffix(".swift")
                return TestInfo(
                    id: TestID(
                        library: .swiftTesting, module: "T", suite: isFree ? "" : suite, name: "t\(number)()"),
                    location: isFree ? SourceLocation(path: suite, line: 1) : nil)
            }
        }
    }

    private func names(_ suites: [(suite: String, count: Int)], maximum: Int) -> [String] {
        RecordingPlan.keys(of: tests(suites), maximum: maximum).map(\.name)
    }

    @Test func testsRunAloneIfTheyAreFew() {
        let suites = [("A", 2), ("B/C", 1), ("B", 1), ("Tests/a.swift", 2)]
        #expect(
            names(suites, maximum: 6) == [
                "A/t0()", "A/t1()", "B/C/t0()", "B/t0()", "Tests/a.swift/t0()", "Tests/a.swift/t1()",
            ])
    }

    @Test func theLargestSuitesThatFitAreSplit() {
        let suites = [("A", 2), ("B", 3), ("C", 9), ("D", 1)]
        #expect(
            names(suites, maximum: 7) == ["A/t0()", "A/t1()", "B/t0()", "B/t1()", "B/t2()"]
                + Array(repeating: "C", count: 9) + ["D"])
        #expect(Set(names(suites, maximum: 6)) == ["A", "B/t0()", "B/t1()", "B/t2()", "C", "D"])
        #expect(Set(names(suites, maximum: 1)) == ["A", "B", "C", "D"])
        #expect(Set(names(suites, maximum: 15)).count == 15)
    }
}
