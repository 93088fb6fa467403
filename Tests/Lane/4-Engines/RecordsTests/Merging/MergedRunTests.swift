import Events
import OperatingSystem
import Records
import TestSupport
import Testing

@Suite struct MergedRunTests {
    private let files: EventFiles

    init() throws { files = try EventFiles() }

    @Test func shardsTogetherAreOneRun() throws {
        let merged = try Merged([
            files.write("2.jsonl", shard: 2, [("c", [.passed]), ("d", [.skipped(reason: "later")])], startedAt: 1002),
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])]),
        ])
        #expect(merged.status == 0)
        #expect(merged.isComplete)
        #expect(merged.findings.isEmpty)
        let counts = merged.summary.counts
        #expect((counts.planned, counts.passed, counts.skipped) == (4, 3, 1))
        #expect(merged.summary.lane == "test")
        #expect(merged.summary.startedAt == 1000)
        #expect(merged.summary.steps.count == 1)
        #expect(merged.summary.steps.first?.end?.outcome == .passed)
        // The logs and the commands of one machine are not those of the run.
        #expect(
            merged.summary.steps.first?.start
                == StepStart(name: "test", action: "test", repeatTestsCommand: "lane test"))
        // Times are those since the start of the first machine, and each machine has processes of its own.
        let late = try #require(merged.record("c")?.attempts.first)
        #expect(late.startedAt ?? .zero > .seconds(2))
        #expect(late.worker.map(MergedWorkers.name) == "shard 2 (1)")
        #expect(merged.record("a")?.attempts.first?.worker.map(MergedWorkers.name) == "shard 1 (1)")
    }

    @Test func failuresOfAnyShardFailTheRun() throws {
        let merged = try Merged([
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.failed])], status: 1),
            files.write("2.jsonl", shard: 2, [("c", [.crashed(how: "signal 4")]), ("d", [.passed])], status: 5),
        ])
        #expect(merged.status == 5)
        #expect((merged.summary.counts.failed, merged.summary.counts.crashed) == (1, 1))
        #expect(
            merged.summary.steps.first?.end?.outcome
                == .failed(status: 5, message: "shard 1: tests failed\nshard 2: tests failed"))
    }

    @Test func aMissingShardIsNamed() throws {
        let merged = try Merged([
            files.write("1.jsonl", shard: 1, of: 3, total: 5, [("a", [.passed]), ("b", [.passed])]),
            files.write("3.jsonl", shard: 3, of: 3, total: 5, [("e", [.passed])]),
        ])
        #expect(merged.status == 1)
        #expect(!merged.isComplete)
        #expect(
            merged.findings == [
                "shard 2 of 3 has not reported", "2 of 5 tests without a result in missing shards",
            ])
    }

    /// A test that runs in no shard must not go unnoticed.
    @Test func anUnlistedTestIsRed() throws {
        let merged = try Merged([
            files.write("1.jsonl", shard: 1, total: 5, [("a", [.passed]), ("b", [.passed])]),
            files.write("2.jsonl", shard: 2, total: 5, [("c", [.passed]), ("a", [.passed])]),
        ])
        #expect(merged.status == 1)
        #expect(
            merged.findings == [
                "1 test ran in more than one shard: all shards need the same recorded times",
                "2 of 5 tests in no shard: all shards need the same recorded times",
            ])
    }

    @Test func shardsOfOtherTestsAreRed() throws {
        let merged = try Merged([
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])]),
            files.write("2.jsonl", shard: 2, total: 7, digest: "other", [("c", [.passed]), ("d", [.passed])]),
        ])
        #expect(merged.findings == ["shard 2 divided other tests than shard 1: 7 instead of 4"])
    }

    @Test(arguments: 6...10) func aLostMachineLosesNoTest(lines: Int) throws {
        let merged = try Merged([
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])], keeping: lines),
            files.write("2.jsonl", shard: 2, [("c", [.passed]), ("d", [.passed])]),
        ])
        #expect(merged.status == 1)
        #expect(merged.findings == ["shard 1 of 2 ended without a result: its machine was lost"])
        #expect(merged.summary.counts.planned == 4)
        #expect(merged.summary.counts.ended == 4)
        #expect(merged.record("c")?.outcome == .passed)
    }

    @Test func aRepeatedShardReplacesTheLostOne() throws {
        let merged = try Merged([
            files.write("lost.jsonl", shard: 1, [("a", [.failed]), ("b", [.passed])], keeping: 8),
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])], startedAt: 1010),
            files.write("2.jsonl", shard: 2, [("c", [.passed]), ("d", [.passed])]),
        ])
        #expect(merged.status == 0)
        #expect(merged.summary.counts.passed == 4)
        #expect(merged.summary.counts.flaky == 0)
    }

    @Test func aTestThatPassesWhenItsShardIsRepeatedIsFlaky() throws {
        let merged = try Merged([
            files.write("again.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])], startedAt: 1010),
            files.write("1.jsonl", shard: 1, [("a", [.failed, .failed]), ("b", [.passed])], status: 1),
            files.write("2.jsonl", shard: 2, [("c", [.failed, .passed]), ("d", [.passed])]),
        ])
        #expect(merged.status == 0)
        #expect(merged.summary.counts.flaky == 2)
        #expect(merged.record("a")?.attempts.map(\.number) == [1, 2, 3])
        #expect(merged.summary.steps.first?.end?.outcome == .passed)
    }

    @Test func aRunThatListedNothingIsNamed() throws {
        let build = try files.write("1.jsonl", shard: nil, [], status: 3, keeping: nil)
        let merged = try Merged([
            build, files.write("2.jsonl", shard: 2, [("c", [.passed]), ("d", [.passed])]),
        ])
        #expect(merged.findings.first == "'\(build.path)' has no tests: its run ended with exit status 3")
        #expect(merged.findings.contains("shard 1 of 2 has not reported"))
    }

    @Test func aRunWithoutShardsIsMergedAlone() throws {
        let merged = try Merged([files.write("all.jsonl", shard: nil, [("a", [.passed]), ("b", [.failed])], status: 1)])
        #expect(merged.status == 1)
        #expect(merged.summary.counts.planned == 2)
        #expect(merged.record("a")?.attempts.first?.worker == 1)
    }

    @Test func filesOfDifferentRunsAreRefused() throws {
        let two = try files.write("two.jsonl", shard: 1, of: 2, [("a", [.passed])])
        let eight = try files.write("eight.jsonl", shard: 2, of: 8, [("b", [.passed])])
        #expect(throws: MergeError.differentCounts(two.path, 2, eight.path, 8)) { try Merged([two, eight]) }
        let whole = try files.write("whole.jsonl", shard: nil, [("a", [.passed])])
        #expect(throws: MergeError.notSharded([whole.path])) { try Merged([whole, two]) }
        let empty = EventFile(try files.directory.write("", to: "none.jsonl"))
        #expect(throws: MergeError.noRun(path: empty.path)) { try Merged([empty]) }
        let broken = EventFile(
            try files.directory.write("\n{\"event\":\"runStarted\",\"number\":1,}\n", to: "broken.jsonl"))
        #expect {
            try Merged([broken])
        } throws: { error in
            if case MergeError.damaged(broken.path, 1, _)? = error as? MergeError { true } else { false }
        }
    }

    /// A file without some of its lines, or with other text, is not the result of a shard.
    @Test func filesWithGapsOrOtherLinesAreRefused() throws {
        let other = try files.write("two.jsonl", shard: 2, [("b", [.passed])])
        let path = try files.write("one.jsonl", shard: 1, [("a", [.passed])]).path
        let text = try readText(path)
        let lines = text.split(separator: "\n").map { "\($0)\n" }
        var texts = (1..<lines.count - 1).map { gap in lines[..<gap].joined() + lines[(gap + 1)...].joined() }
        texts += ["x", "x\n", "{", lines[1]].map { text + $0 } + [lines[0] + "x\n" + lines[1...].joined()]
        for text in texts {
            try writeFile(text, to: path)
            let error = #expect(throws: MergeError.self) { try Merged([EventFile(path), other]) }
            guard case .incomplete(path, _, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
