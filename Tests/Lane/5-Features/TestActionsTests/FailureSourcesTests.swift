import Events
import TestSupport
import Testing

@testable import TestActions

@Suite struct FailureSourcesTests {
    private static let source = """
        func test() {
            #expect(1 == 2)
            #expect(
                value
                    == other)
            #expect(f(
        """

    @Test(arguments: [
        (2, ["#expect(1 == 2)"]), (3, ["#expect(", "    value", "        == other)"]), (6, ["#expect(f("]), (7, []),
        (0, []),
    ])
    func theStatementOfAFailure(line: Int, expected: [String]) throws {
        let directory = try TemporaryDirectory()
        try directory.write(Self.source.replacing("\n", with: "\r\n"), to: "Tests/A.swift")
        let sources = FailureSources(root: directory.path)
        for path in ["Tests/A.swift", "\(directory.path)/Tests/A.swift"] {
            let issue = TestIssue(test: nil, text: "x", at: SourceLocation(path: path, line: line))
            guard case .test(.issue(let completed)) = sources.completed(.test(.issue(issue))) else {
                Issue.record("not an issue")
                continue
            }
            #expect(completed.source == expected && completed.text == "x")
        }
    }

    @Test(arguments: [
        TestIssue(test: nil, severity: .known, text: "x", at: SourceLocation(path: "A.swift", line: 1)),
        TestIssue(test: nil, text: "x"), TestIssue(test: nil, text: "x", at: SourceLocation(path: "B.swift", line: 1)),
    ])
    func otherIssuesHaveNoSource(issue: TestIssue) throws {
        let directory = try TemporaryDirectory()
        try directory.write("f()", to: "A.swift")
        #expect(FailureSources(root: directory.path).completed(.test(.issue(issue))) == .test(.issue(issue)))
    }
}
