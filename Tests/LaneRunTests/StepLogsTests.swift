import LaneEvents
import Testing

@testable import LaneRun

@Suite struct StepLogsTests {
    @Test(arguments: [
        ("l/build", "build"), ("l/checks/lint", "checks.lint"), ("l[v=6.2, w=é]/run-2", "l[v=6.2, w=é].run-2"),
    ])
    func aLogIsNamedAfterItsStep(id: String, name: String) {
        #expect(StepLogs(root: "/", lane: "l").path(of: StepID(id)) == ".lane/logs/l/\(name).log")
    }

    /// Values may hold what no name can, and two steps never share a file.
    @Test func everyStepHasALogOfItsOwn() {
        let long = String(repeating: "日", count: 300)
        let ids = ["a/b", "a.b", "../../x", "a\nb", "a\u{1}b", long + "1", long + "2"].map { "l[v=\($0)]/run" }
        let paths = ids.map { StepLogs(root: "/", lane: "l").path(of: StepID($0)) }
        #expect(Set(paths).count == paths.count)
        for path in paths {
            #expect(path.hasPrefix(".lane/logs/l/") && path.utf8.count < 255, "\(path)")
            #expect(path.dropFirst(13).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x2F }, "\(path)")
        }
    }
}
