import Files
import JSON
import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Past runs can be looked up")
    struct HistoryTests {
        @Test("The last come first; lane, failures and number choose")
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
                    "✔ WHEN  good  LONG", "✘ WHEN  bad   LONG  failed at bad/breaks, exit status 7",
                    "✔ WHEN  good  LONG",
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

        @Test("A run that a signal ended was cancelled", arguments: ["TERM", "HUP"])
        func cancelled(_ signal: String) async throws {
            let text = "hang; kill -\(signal) $lane; wait $lane; \"$0\" history"
            let (run, _) = try await runScript(text, lanes: ["hang": "steps: [{ run: touch ready; sleep 100 }]"])
            #expect(run.text.hasSuffix("s  cancelled\n"), "\(run.text)\(run.errorText)")
        }
    }
}
