import Events
import TestSupport
import Testing
import ToolOutput

@testable import TestEngine

@Suite struct CrashPlacesTests {
    /// Without a backtracer or debug information, only the runtime's message is available.
    @Test(arguments: [("M/A.swift", "Tests/M/A.swift"), ("M/B.swift", "M/B.swift"), ("Swift/Array.swift", nil)])
    func aFileNamedByItsModuleIsFound(named: String, path: String?) throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "Tests/M/A.swift")
        let words = Array("\(named):4: Fatal error: boom\n".utf8)
        let report = try #require(CrashReport.ofProcess(in: words, root: directory.path))
        #expect(report.location == path.map { SourceLocation(path: $0, line: 4) })
    }
}
