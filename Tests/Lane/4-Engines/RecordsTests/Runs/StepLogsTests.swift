import CLibrary
import Events
import OperatingSystem
import TestSupport
import Testing

@testable import Records

@Suite struct StepLogsTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func logs() throws -> StepLogs {
        try StepLogs(root: directory.path, run: ".lane/runs/1-l", lane: "l")
    }

    /// Starts a run that prints its name in the step `l/say`.
    private func startRun(_ name: String) -> RunRecorder {
        let recorder = RunRecorder(RunStore(root: directory.path))
        let output = OutputChunk(stream: .standardOutput, bytes: Array(name.utf8))
        recorder.receive(event(.runStarted(RunStart(lane: "l", steps: [], startedAt: 1))), RunSummary())
        recorder.receive(event(.stepOutput(output)), RunSummary())
        return recorder
    }

    private func event(_ kind: LaneEvent.Kind) -> LaneEvent {
        LaneEvent(number: 1, offset: .zero, step: StepID("l/say"), kind: kind)
    }

    /// Returns the contents of the log that messages of a run name.
    private func log(of run: RunRecorder) throws -> String {
        try directory.read(try #require(run.log(of: StepID("l/say"))))
    }

    @Test(arguments: [
        ("l/build", "build"), ("l/checks/lint", "checks.lint"), ("l[v=6.2, w=é]/run-2", "l[v=6.2, w=é].run-2"),
    ])
    func aLogIsNamedAfterItsStep(id: String, name: String) throws {
        #expect(try logs().path(of: StepID(id)) == ".lane/logs/l/\(name).log")
    }

    /// Values may contain characters that file names cannot, and two steps never share a file.
    @Test func everyStepHasASeparateLog() throws {
        let logs = try logs()
        let long = String(repeating: "日", count: 300)
        let ids = ["a/b", "a.b", "../../x", "a\nb", "a\u{1}b", long + "1", long + "2"].map { "l[v=\($0)]/run" }
        let paths = ids.map { logs.path(of: StepID($0)) }
        #expect(Set(paths).count == paths.count)
        for path in paths {
            #expect(path.hasPrefix(".lane/logs/l/") && path.utf8.count < 255, "\(path)")
            #expect(path.dropFirst(13).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x2F }, "\(path)")
        }
    }

    /// The thread of a step and the threads of its action send at the same time, and the first event creates the file.
    @Test func concurrentWritesToALogAreComplete() throws {
        let recorder = RunRecorder(RunStore(root: directory.path))
        let stream = EventStream(elapsed: { .zero }, receivers: [recorder])
        stream.send(.runStarted(RunStart(lane: "l", steps: [], startedAt: 1)))
        let count = 8
        for round in 0..<200 {
            let step = StepID("l/\(round)")
            let gate = Monitor(0)
            let threads = (0..<count).map { index in
                Thread {
                    gate.withLock { $0 += 1 }
                    gate.signalAll()
                    gate.wait { $0 == count ? true : nil }
                    stream.send(.message(Message(.note, "\(index)")), step: step)
                }
            }
            for thread in threads { thread?.join() }
            let lines = try directory.read(".lane/logs/l/\(round).log").split(separator: "\n").sorted()
            #expect(lines == (0..<count).map { "note: \($0)" })
        }
    }

    /// The runs have the same lane, and the second has its own logs.
    @Test func theLinkNamesTheLogsOfTheRunThatEndsLast() throws {
        let outer = startRun("outer")
        #expect(try log(of: outer) == "outer")
        let inner = startRun("inner")
        #expect(try log(of: inner) == "inner")
        _ = outer.save(failedStep: nil)
        #expect(outer.log(of: StepID("l/say")) == ".lane/logs/l/say.log")
        #expect(try log(of: outer) == "outer")
    }

    /// The checkout is at another path after a move, and on this side of a container.
    @Test func theLinkWorksAtAnotherPath() throws {
        let run = startRun("moved")
        let path = run.log(of: StepID("l/say")) ?? ""
        #expect(path == ".lane/logs/l/say.log")
        let elsewhere = try TemporaryDirectory()
        try moveFile("\(directory.path)/.lane", to: "\(elsewhere.path)/.lane")
        #expect(try elsewhere.read(path) == "moved")
    }

    @Test func theLogsOfAnOlderProgramAreReplaced() throws {
        try directory.write("old", to: ".lane/logs/l/say.log")
        try directory.write("old", to: ".lane/runs/001764000000000-l.jsonl")
        let run = startRun("new")
        #expect(try log(of: run) == "new")
        run.receive(event(.runEnded(RunEnd(status: 0, duration: .zero))), RunSummary())
        #expect(try RunStore(root: directory.path).records().map(\.lane) == ["l"])
    }

    /// For example on a file system without symbolic links.
    @Test func withoutALinkMessagesNameTheDirectoryOfTheRun() throws {
        try directory.write("", to: ".lane/logs")
        let run = startRun("new")
        #expect(run.log(of: StepID("l/say")) == ".lane/runs/000000000001000-l/logs/say.log")
        #expect(try log(of: run) == "new")
    }

    @Test func aLogThatCannotBeCreatedIsReportedOnce() throws {
        var logs = try logs()
        try makeDirectories("\(directory.path)/.lane/runs/1-l/logs/say.log")
        for _ in 0..<2 { logs.append(Array("a".utf8), isLine: false, of: StepID("l/say")) }
        #expect(logs.failures.map(\.description) == ["could not write '.lane/logs/l/say.log': Is a directory"])
    }
}
