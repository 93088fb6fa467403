import Events
import OperatingSystem
import TestSupport
import Testing

@testable import Records

@Suite struct StepLogsTests {
    @Test(arguments: [
        ("l/build", "build"), ("l/checks/lint", "checks.lint"), ("l[v=6.2, w=é]/run-2", "l[v=6.2, w=é].run-2"),
    ])
    func aLogIsNamedAfterItsStep(id: String, name: String) throws {
        let logs = try #require(StepLogs(root: "/tmp", lane: "l"))
        #expect(logs.path(of: StepID(id)) == ".lane/logs/l/\(name).log")
    }

    /// Values may contain characters that file names cannot, and two steps never share a file.
    @Test func everyStepHasASeparateLog() throws {
        let logs = try #require(StepLogs(root: "/tmp", lane: "l"))
        let long = String(repeating: "日", count: 300)
        let ids = ["a/b", "a.b", "../../x", "a\nb", "a\u{1}b", long + "1", long + "2"].map { "l[v=\($0)]/run" }
        let paths = ids.map { logs.path(of: StepID($0)) }
        #expect(Set(paths).count == paths.count)
        for path in paths {
            #expect(path.hasPrefix(".lane/logs/l/") && path.utf8.count < 255, "\(path)")
            #expect(path.dropFirst(13).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x2F }, "\(path)")
        }
    }

    /// The thread of a step and the threads of its action write at the same time, and the first of them creates the
    /// file.
    @Test func concurrentWritesToALogAreComplete() throws {
        let directory = try TemporaryDirectory()
        let logs = try #require(StepLogs(root: directory.path, lane: "l"))
        let count = 8
        for round in 0..<200 {
            let step = StepID("l/\(round)")
            let gate = Monitor(0)
            let threads = (0..<count).map { index in
                Thread {
                    gate.withLock { $0 += 1 }
                    gate.signalAll()
                    gate.wait { $0 == count ? true : nil }
                    _ = logs.append(Array("\(index)\n".utf8), isLine: true, of: step)
                }
            }
            for thread in threads { thread?.join() }
            logs.finish(step)
            let lines = try directory.read(logs.path(of: step)).split(separator: "\n").sorted()
            #expect(lines == (0..<count).map { Substring("\($0)") })
        }
    }
}
