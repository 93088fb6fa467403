import OperatingSystem
import TestSupport
import Testing
import Text

extension EndToEnd {
    @Suite("Past runs can be listed, shown and compared")
    struct HistoryTests {
        @Test("The newest runs come first, and lane, failures and number select")
        func history() async throws {
            let package = try MiniPackage(lanes: [
                "good": "steps: [{ run: [\"true\"] }]", "bad": "steps: [{ run: exit 7, id: breaks }]",
            ])
            let lane = BuiltTool.lane
            let empty = try await lane.run(["history"], in: package.path)
            #expect(empty.report.status == 0 && empty.text == "" && empty.errorText == "no run is recorded\n")
            for name in ["good", "bad", "good"] { _ = try await lane.run([name], in: package.path) }
            let all = try await lane.run(["history"], in: "\(package.path)/Sources")
            let lines = all.text.split(separator: "\n").map { line in
                line.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "WHEN").replacing(/\d+\.\d{3} s/, with: "LONG")
            }
            #expect(
                lines == [
                    "1  ✔ WHEN  good  LONG", "2  ✘ WHEN  bad   LONG  failed at bad/breaks, exit status 7",
                    "3  ✔ WHEN  good  LONG",
                ])
            for (words, count) in [(["--failed"], 1), (["good"], 2), (["-n", "1"], 1), (["none"], 0)] {
                let run = try await lane.run(["history"] + words, in: package.path)
                #expect(run.text.split(separator: "\n").count == count, "\(words)")
            }
            let json = try JSONParser.parse(
                try await lane.run(["history", "--json", "--failed"], in: package.path).text)
            let run = try #require(json["runs"]?.array?.first)
            #expect(run["failedStep"]?.string == "bad/breaks" && run["status"]?.integer == 7)
            #expect(run["startedAt"]?.string?.hasSuffix("Z") == true)
            #expect(try await lane.run(["history", "-n", "0"], in: package.path).report.status == 64)
        }

        @Test("Past runs are shown as they were, and compared")
        func pastRuns() async throws {
            let package = try MiniPackage(lanes: [
                "say": "steps: [{ run: cat words; test ! -e broken, id: words }]", "other": "steps: [{ run: 'true' }]",
            ])
            let lane = BuiltTool.lane
            try package.directory.write("one\n", to: "words")
            let first = try await lane.run(["say", "--events", "first.jsonl"], in: package.path)
            try package.directory.write("two\n", to: "words")
            try package.directory.write("", to: "broken")
            let second = try await lane.run(["say"], in: package.path)
            #expect(second.report.status == 1)
            #expect(try await lane.run(["history", "show"], in: package.path).text == second.text)
            #expect(try await lane.run(["history", "show", "2"], in: package.path).text == first.text)
            #expect(try await lane.run(["history", "show", "first.jsonl"], in: package.path).text == first.text)
            let shownFile = try await lane.run(
                ["history", "show", "first.jsonl", "--junit", "a.xml"], in: package.path)
            #expect(shownFile.text == first.text && shownFile.report.status == 0)
            #expect(
                try package.directory.read("a.xml").replacing(#/ time="[^"]*"/#, with: "") == """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <testsuites name="say" tests="0" failures="0" errors="0">
                    </testsuites>

                    """)
            let difference = try await lane.run(["history", "diff"], in: package.path)
            expectGolden(redacted(difference.text), "history-diff.txt")
            let same = try await lane.run(["history", "diff", "first.jsonl", "2"], in: package.path)
            let time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/
            #expect(
                same.text.replacing(time, with: "WHEN")
                    == "first.jsonl  WHEN  say\nrun 2  WHEN  say\n\nno differences\n")
            #expect(try await lane.run(["other"], in: package.path).report.status == 0)
            let lanes = try await lane.run(["history", "diff"], in: package.path)
            #expect(lanes.text.replacing(time, with: "WHEN").hasPrefix("run 2  WHEN  say\nrun 1  WHEN  other\n"))
            // A message names the link to the logs of the lane's last run, or the log of an earlier run.
            #expect(try await lane.run(["history", "show", "2"], in: package.path).text.contains(".lane/logs/say"))
            _ = try await lane.run(["say"], in: package.path)
            let shown = try await lane.run(["history", "show", "3"], in: package.path).text
            #expect(shown.contains("two") && !shown.contains(".lane/logs"), "\(shown)")
            let log = try #require(shown.firstMatch(of: /full output of .*: (\S+\.log)/)?.output.1, "\(shown)")
            #expect(try package.directory.read(String(log)) == "two\n")
            for (words, status) in [
                (["history", "show", "9"], 66), (["history", "show", "absent.jsonl"], 66),
                (["history", "say", "2"], 64), (["history", "2"], 64), (["history", "diff", "--json"], 64),
                (["history", "diff", "1"], 64), (["history", "show", "words"], 65),
            ] {
                #expect(try await lane.run(words, in: package.path).report.status == Int32(status), "\(words)")
            }
        }

        @Test("A run that a signal ended was cancelled", arguments: ["TERM", "HUP"])
        func cancelled(_ signal: String) async throws {
            let text = "hang; kill -\(signal) $lane; wait $lane; \"$0\" history"
            let (run, _) = try await runScript(text, lanes: ["hang": "steps: [{ run: touch ready; sleep 100 }]"])
            #expect(run.text.hasSuffix("s  cancelled\n"), "\(run.text)\(run.errorText)")
        }
    }
}
