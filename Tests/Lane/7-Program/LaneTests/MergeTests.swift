import CLibrary
import Events
import TestSupport
import Testing
import Text

@Suite struct MergeTests {
    /// Returns the events of a shard with one test that ends with an outcome.
    private func events(_ shard: Int, of count: Int, _ outcome: TestResult.Outcome, status: Int32 = 0) -> String {
        let step = StepID("test/test")
        let test = TestID(library: .xctest, module: "DemoTests", suite: "Demo", name: "test\(shard)")
        let kinds: [LaneEvent.Kind] = [
            .runStarted(RunStart(lane: "test", steps: [], startedAt: 1000 + Double(shard))),
            .stepStarted(StepStart(name: "test", action: "test")),
            .test(.sharded(TestShard(index: shard, count: count, total: count, digest: "d"))),
            .test(.planned([TestInfo(id: test)])), .test(.started(test, attempt: 1, worker: 1)),
            .test(.ended(TestResult(test: test, outcome: outcome, duration: .milliseconds(20 * shard)))),
            .test(.finished),
            .stepEnded(
                StepEnd(
                    name: "test", outcome: status == 0 ? .passed : .failed(status: status, message: "1 test failed"),
                    duration: .seconds(1))),
            .runEnded(RunEnd(status: status, duration: .seconds(1))),
        ]
        var encoder = EventLineEncoder()
        return kinds.enumerated().map { index, kind in
            let event = LaneEvent(
                number: index + 1, offset: .milliseconds(index), step: [0, 8].contains(index) ? nil : step, kind: kind)
            return String(decoding: encoder.line(for: event), as: UTF8.self)
        }.joined()
    }

    @Test func allShardsAreOneReport() throws {
        let session = try Session(["1.jsonl": events(1, of: 2, .passed), "2.jsonl": events(2, of: 2, .passed)])
        let outcome = try session.run(
            "merge", "1.jsonl", "2.jsonl", "--junit", "r.xml", "--html", "r.html", "--summary", "r.md", "--timings", "t"
        )
        #expect(outcome.status == .done, "\(outcome.errors)")
        #expect(
            outcome.output == """
                ✔ 2 tests in 1 suite: 2 passed
                ✔ test passed in 1.007 s

                """)
        #expect(
            try session.directory.read("r.xml") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="test" tests="2" failures="0" errors="0" time="1.007">
                  <testsuite name="DemoTests.Demo" tests="2" failures="0" errors="0" skipped="0" time="0.060" timestamp="1970-01-01T00:16:41Z">
                    <testcase name="test1" classname="DemoTests.Demo" time="0.020"/>
                    <testcase name="test2" classname="DemoTests.Demo" time="0.040"/>
                  </testsuite>
                </testsuites>

                """)
        let page = try session.directory.read("r.html")
        #expect(page.contains("shard 1 (1)") && page.contains("shard 2 (1)"))
        #expect(
            try session.directory.read("r.md") == """
                ## ✅ test passed in 1.007 s

                **2 tests**: 2 passed


                """)
        #expect(
            try session.directory.read("t") == """
                lane test history 1
                x 20000 - DemoTests\tDemo\ttest1
                x 40000 - DemoTests\tDemo\ttest2

                """)
    }

    @Test func failuresAndMissingShardsFail() throws {
        let session = try Session([
            "1.jsonl": events(1, of: 3, .failed, status: 1), "2.jsonl": events(2, of: 3, .passed),
        ])
        let outcome = try session.run("merge", "1.jsonl", "2.jsonl")
        #expect(outcome.status == .failed)
        expectGolden(redacted(outcome.output), "merge-missing.txt")
        #expect(try session.run("merge").status == .usage)
        #expect(try session.run("merge", "3.jsonl").status == .fileNotFound)
        let before = try session.directory.read("2.jsonl")
        #expect(try session.run("merge", "1.jsonl", "2.jsonl", "--events", "2.jsonl").status == .usage)
        #expect(try session.directory.read("2.jsonl") == before)
    }

    @Test(
        "A file that is read is not replaced, also through a link",
        arguments: [
            ["condense", "log", "--events", "log"], ["condense", "log", "--junit", "link"],
            ["merge", "log", "--events", "link"], ["history", "show", "log", "--html", "link"],
        ])
    func inputsAreKept(words: [String]) throws {
        let session = try Session(["log": "Test Case 'A.b' passed (0.1 seconds)\n"])
        try #require(symlink("log", "\(session.directory.path)/link") == 0)
        let outcome = try session.run(words)
        #expect(outcome.status == .usage)
        #expect(outcome.errors.contains("which the command reads"))
        #expect(try session.directory.read("log") == "Test Case 'A.b' passed (0.1 seconds)\n")
    }
}
