import Events
import TestSupport
import Testing

@testable import TestEngine

@Suite struct ChangedFilesTests {
    private func test(_ path: String?) -> TestInfo {
        TestInfo(
            id: TestID(library: .xctest, module: "M", suite: "C", name: "t"),
            location: path.map { SourceLocation(path: $0, line: 1) })
    }

    @Test(arguments: [
        (["Tests/A.swift"], true, false), (["Tests/B.swift", "README.md"], false, true),
        (["Sources/Point.swift"], true, false), (["Sources/Line.swift"], false, true),
        (["Sources/Gone.swift"], false, false),
        ([], false, false),
    ])
    func changesAffectTestsByFileAndName(_ changed: [String], _ one: Bool, _ other: Bool) throws {
        let directory = try TemporaryDirectory()
        try directory.write("public struct Point {\n    var x = 0\n}\n", to: "Sources/Point.swift")
        try directory.write("extension Line { func length() -> Int { 0 } }\n", to: "Sources/Line.swift")
        try directory.write("func testA() { _ = Point(x: 0) }\n", to: "Tests/A.swift")
        try directory.write("func testB() { #expect(line.length() == 0) }\n", to: "Tests/B.swift")
        var files = ChangedFiles(changed, root: directory.path)
        let touched = [test("Tests/A.swift"), test("Tests/B.swift"), test(nil)].map { files.touch($0) }
        #expect(touched == [one, other, false])
    }
}
