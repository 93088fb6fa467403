import CI
import LaneModel
import TestSupport
import Testing
import Text

@Suite struct VariantJobTests {
    @Test("Each version of Swift and each system is a job, on every service")
    func services() throws {
        let configuration = """
            services: [github, circleci, azure]
            branches: [main]
            image: swift:6.3-noble
            jobs:
              tests:
                name: Tests
                lanes: [test]
                swift: [6.2, 6.3]
                os: [linux, macos]
              archives:
                lanes: [package]
                needs: [tests]
                os: [macos, linux]
                artifacts: [dist]
            """
        for file in try files(configuration) {
            expectGolden(file.text, "variants-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
    }

    /// Returns the lines of the workflow that start with a word.
    private func lines(_ word: String, _ jobs: String) throws -> [String] {
        let text = try #require(try files("jobs: { \(jobs) }").first).text
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(word) }.map(String.init)
    }

    @Test("The result of a job that may fail does not count")
    func mayFail() throws {
        let jobs = "a: { lanes: [test] }, b: { lanes: [test], os: macos, may-fail: true }"
        let files = try files("services: [github, circleci, azure]\njobs: { \(jobs) }")
        let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
        let gitHub = try #require(texts[".github/workflows/ci.yml"])
        #expect(gitHub.split(separator: "continue-on-error: true").count == 2)
        let gate = try #require(gitHub.split(separator: "all-green:").last)
        #expect(gate.contains("needs.a.result") && !gate.contains("needs.b.result"))
        #expect(gate.contains("needs: [a]") || !gate.contains("- b\n"))
        #expect(texts["ci/azure-pipelines.yml"]?.contains("continueOnError: 'true'") == true)
        #expect(texts[".circleci/config.yml"]?.contains("macos") == false)
    }

    @Test("A manual job without write permissions has the caches of other jobs")
    func manualJobs() throws {
        let jobs =
            "a: { lanes: [test], on: manual }, b: { lanes: [test], on: manual, permissions: { contents: write } }"
        let files = try files("lane: { repository: https://host.test/lane, version: 1.0.0 }\njobs: { \(jobs) }")
        let counts = files.map { $0.text.split(separator: "actions/cache/").count - 1 }
        #expect(counts == [4, 0], "\(files.map(\.path))")
    }

    @Test("The versions replace the version of the image")
    func images() throws {
        func images(_ job: String) throws -> [String] { try lines("container:", "a: { lanes: [test], \(job) }") }
        #expect(
            try images("swift: [6.1, 6.2.3]")
                == ["swift:6.1-bookworm", "swift:6.2.3-bookworm"].map { "container: \($0)" })
        #expect(try images("swift: 6.10") == ["container: swift:6.10-bookworm"])
        let own = "image: 'registry.test:5000/swift:6.3', swift: [6.1, 6.2, 6.1]"
        #expect(try images(own) == ["6.1", "6.2"].map { "container: registry.test:5000/swift:\($0)" })
        #expect(try images("swift: 6.2, os: [macos, linux]") == ["container: swift:6.2-bookworm"])
    }

    @Test("A single version keeps the name of the job, and each of several versions has shards")
    func names() throws {
        #expect(
            try lines("name: ", "a: { lanes: [test], name: Trials, swift: 6.2 }") == [
                "name: CI", "name: Trials", "name: a.reports", "name: All green",
            ])
        let jobs =
            "a: { lanes: [test], name: Trials, swift: [6.1, 6.2], shards: 2 }, b: { lanes: [package], needs: [a] }"
        let text = try #require(try files("jobs: { \(jobs) }").first).text
        #expect(
            jobNames(in: text) == [
                "push", "pull_request", "merge_group", "a-6-1-pack", "a-6-1-shard", "a-6-1", "a-6-2-pack",
                "a-6-2-shard", "a-6-2", "b", "all-green",
            ])
        #expect(text.contains("    needs:\n      - a-6-1\n      - a-6-2\n"))
    }

    @Test("Linux on arm64 has jobs of its own")
    func arm64() throws {
        let jobs = "a: { lanes: [test], swift: [6.2, 6.3], os: [linux, linux-arm64] }"
        #expect(
            try lines("runs-on: ", jobs)
                == ["ubuntu-24.04", "ubuntu-24.04", "ubuntu-24.04-arm", "ubuntu-24.04-arm", "ubuntu-24.04"].map {
                    "runs-on: \($0)"
                })
        let circle = try files("services: [circleci]\njobs: { \(jobs) }")
        #expect(circle.first?.text.split(separator: "resource_class: arm.medium").count == 3)
        #expect {
            try files("services: [azure]\njobs: { \(jobs) }")
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == ["job 'a' runs on linux-arm64, which Azure does not offer"]
        }
    }

    @Test("Several machines build a release, and only the last job has permissions and the token")
    func parts() throws {
        let configuration = """
            lane: { repository: https://host.test/lane, version: 1.0.0 }
            jobs:
              release:
                lanes: [release]
                on: manual
                os: [linux, macos]
                permissions: { contents: write }
                setup: [apt-get install libfoo-dev]
            """
        let location = PackageLocation(directory: "services/shape")
        let file = try #require(try files(configuration, location: location).first)
        expectGolden(file.text, "parts-release.yml")
        let jobs = file.text.split(separator: "\n  release")
        #expect(jobs.filter { $0.contains("secrets.") || $0.contains(": write") }.count == 1)
    }

    @Test(
        "Variants that cannot run are errors",
        arguments: [
            ("a: { lanes: [test], swift: [6.2, latest] }", "expected a version such as 6.2, found the string 'latest'"),
            ("a: { lanes: [test], swift: 6.2, os: macos }", "job 'a' has versions of Swift but runs on macos"),
            (
                "a: { lanes: [test], swift: 6.2, image: 'swift:noble' }",
                "job 'a' has versions of Swift but no version in its image 'swift:noble'"
            ),
            (
                "a: { lanes: [test], on: manual, swift: [6.1, 6.2] }",
                "job 'a' has several variants but is started manually"
            ),
            (
                "a: { lanes: [test], runner: big, os: [linux, macos] }",
                "job 'a' has a runner and several systems"
            ),
            ("a: { lanes: [test], shards: 2, os: [linux, macos] }", "job 'a' has shards but runs on macos"),
            (
                "a: { lanes: [test], os: [linux, macos] }, A-macos: { lanes: [build] }",
                "job 'a-macos' has the name of a part of 'a', which has several variants"
            ),
        ])
    func mistakes(_ jobs: String, _ message: String) {
        #expect {
            try files("jobs: { \(jobs) }")
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == [message]
        }
    }
}
