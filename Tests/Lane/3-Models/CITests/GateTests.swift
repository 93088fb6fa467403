import CI
import TestSupport
import Testing
import Text
import YAML

/// Tests that a job that did not run does not count as successful.
@Suite struct GateTests {
    private static let events: [(word: String, name: String)] = [
        ("push", "push"), ("pull-request", "pull_request"), ("merge-queue", "merge_group"),
    ]

    /// Jobs with the events that start them and the jobs above that they need, both as bit sets.
    private typealias Jobs = [(events: Int, needs: Int)]

    private static func configuration(_ jobs: Jobs) -> String {
        jobs.enumerated().reduce("services: [github, circleci, azure]\nbranches: [main]\njobs:\n") { text, job in
            let words = events.indices.filter { job.element.events >> $0 & 1 == 1 }.map { events[$0].word }
            let needs = (0..<job.offset).filter { job.element.needs >> $0 & 1 == 1 }.map { "j\($0)" }
            return text + "  j\(job.offset): { lanes: [test], on: [\(words.joined(separator: ", "))], "
                + "needs: [\(needs.joined(separator: ", "))] }\n"
        }
    }

    /// Returns a Boolean value that indicates whether every job has all events of the jobs that need it.
    private static func isSound(_ jobs: Jobs) -> Bool {
        jobs.enumerated().allSatisfy { index, job in
            (0..<index).allSatisfy { job.needs >> $0 & 1 == 0 || job.events & ~jobs[$0].events == 0 }
        }
    }

    private static let jobs = zip(.integer(in: 1...7), .integer(in: 0...7)).map { (events: $0, needs: $1) }
        .array(count: 1...4)

    @Test("A job that needs a job of other events is an error; the others run on every service")
    func neededJobsRun() {
        checkProperty("needed jobs run", Self.jobs) { jobs in
            guard let files = try? files(Self.configuration(jobs)) else { return !Self.isSound(jobs) }
            guard Self.isSound(jobs) else { return false }
            for file in files {
                let node = YAMLParser.parse(SourceFile(path: file.path, text: file.text)).node
                for (number, event) in Self.events.enumerated() {
                    let running = Self.running(in: node, file.path, event.name)
                    // The other services have no merge queue.
                    let expected = jobs.indices.filter { index in
                        file.path.hasPrefix(".github") || event.name != "merge_group"
                            ? jobs[index].events >> number & 1 == 1 : false
                    }
                    _ = try expectEqual(running, Set(expected.map { "j\($0)" }), "\(file.path) on \(event.name)")
                }
            }
            return true
        }
    }

    /// Returns the jobs that a service starts for an event on `main` or another branch, according to its file.
    private static func running(in node: YAMLNode?, _ path: String, _ event: String) -> Set<String> {
        switch path {
        case ".github/workflows/ci.yml":
            guard node?["on"]?[event] != nil else { return [] }
            let jobs = (node?["jobs"]?.members ?? []).filter { $0.name != "all-green" }
            return Set(
                jobs.filter { $0.value["if"]?.scalar.map { $0.text.contains("'\(event)'") } ?? true }.map(\.name))
        case "ci/azure-pipelines.yml":
            guard event != "merge_group" else { return [] }
            let jobs = (node?["jobs"]?.sequence ?? []).filter { job in
                guard let condition = job["condition"]?.scalar?.text else { return true }
                return condition.contains(event == "push" ? " ne(" : " eq(")
            }
            return Set(jobs.compactMap { $0["job"]?.scalar?.text })
        default:
            guard event != "merge_group" else { return [] }
            let jobs = (node?["workflows"]?["ci"]?["jobs"]?.sequence ?? []).compactMap { job -> String? in
                guard let member = job.members?.first else { return job.scalar?.text }
                let branches = member.value["filters"]?["branches"]
                return branches?[event == "push" ? "ignore" : "only"] == nil ? member.name : nil
            }
            return Set(jobs)
        }
    }

    @Test("The gate succeeds if all jobs of the event succeeded, and there is at least one")
    func gate() throws {
        let shell = try GitFixture()
        let configuration = """
            jobs:
              lint: { lanes: [build], on: push }
              test: { lanes: [test], on: [push, pull-request] }
              more: { lanes: [test], needs: [test], on: [push, pull-request] }
            """
        let node = YAMLParser.parse(SourceFile(path: "ci.yml", text: try files(configuration)[0].text)).node
        let step = try #require(node?["jobs"]?["all-green"]?["steps"]?.sequence?.first)
        let script = try #require(step["run"]?.scalar?.text)
        let form = try #require(step["env"]?["RESULTS"]?.scalar?.text)
        #expect(step["env"]?["EVENT"]?.scalar?.text == "${{ github.event_name }}")
        let outcomes = ["success", "failure", "cancelled", "skipped"]
        for event in ["push", "pull_request", "merge_group", "workflow_dispatch"] {
            for number in 0..<64 {
                let results = [outcomes[number & 3], outcomes[number >> 2 & 3], outcomes[number >> 4]]
                var text = form
                for (job, result) in zip(["lint", "test", "more"], results) {
                    text = text.replacing("${{ needs.\(job).result }}", with: result)
                }
                let expected =
                    switch event {
                    case "push": results == ["success", "success", "success"]
                    case "pull_request": results == ["skipped", "success", "success"]
                    default: false
                    }
                let command = "EVENT=\(event) RESULTS='\(text)' bash -e script >&2 && echo green || echo red"
                try shell.write(script, to: "script")
                let said = try shell.shell(command).split(separator: "\n").last
                #expect(said == (expected ? "green" : "red"), "\(event): \(results)")
            }
        }
    }
}
