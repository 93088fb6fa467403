import CI
import LaneModel
import TestSupport
import Testing
import Text

@Suite struct ShardJobTests {
    @Test("Tests on several machines are built once and reported once, on every service")
    func services() throws {
        let configuration = """
            services: [github, circleci, azure]
            branches: [main]
            jobs:
              tests:
                lanes: [test]
                shards: 4
              archives:
                lanes: [package]
                needs: [tests]
            """
        for file in try files(configuration) {
            expectGolden(file.text, "shards-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
    }

    @Test("The merge writes the report files of the lane at fixed paths")
    func reportFiles() throws {
        func merge(_ settings: String) throws -> Substring? {
            let lane = SourceFile(path: "Lanes/unit.yml", text: "steps:\n  - parallel: [{ test: { \(settings) } }]\n")
            let made = try files("services: [circleci]\njobs: { tests: { lanes: [unit], shards: 2 } }", lanes: [lane])
            return made[0].text.split(separator: "\n").first { $0.contains(" merge ") }?.split(separator: "--timings ")
                .last
        }
        for setting in ["junit: a.xml", "html: a.html", "coverage-lcov: a.info, coverage: true"] {
            #expect(try merge(setting) == ".lane/timings --lane unit")
        }
        for setting in ["jobs: 2, events: a.jsonl", "junit: '${{ env.HOME }}/a.xml'", "coverage-threshold: 80"] {
            #expect(try merge(setting) == ".lane/timings")
        }
    }

    @Test(
        "Only a lane with its own test step has shards",
        arguments: [
            ("tests: { lanes: [test], shards: 2 }", nil),
            ("tests: { lanes: [test], shards: 1, os: macos }", nil),
            ("tests: { lanes: [package], shards: 2 }", "does not run exactly one lane with its own test step"),
            ("tests: { lanes: [test, package], shards: 2 }", "does not run exactly one lane with its own test step"),
            ("tests: { lanes: [test], shards: 2, os: macos }", "runs on macos"),
            ("tests: { lanes: [test], shards: 2, on: manual }", "is started manually"),
        ])
    func shardableJobs(_ job: String, _ problem: String?) throws {
        guard let problem else {
            _ = try files("jobs: { \(job) }")
            return
        }
        #expect {
            try files("jobs: { \(job) }")
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == ["job 'tests' has shards but \(problem)"]
        }
    }

    @Test("A job cannot have the name of a part of another")
    func names() {
        #expect {
            try files("jobs: { tests: { lanes: [test], shards: 2 }, Tests-pack: { lanes: [test] } }")
        } throws: { error in
            (error as? Diagnostics)?.all.first?.message
                == "job 'tests-pack' has the name of a part of 'tests', which has shards"
        }
    }
}
