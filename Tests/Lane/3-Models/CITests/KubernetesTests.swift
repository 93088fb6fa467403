import CI
import LaneModel
import TestSupport
import Testing
import Text
import YAML

@Suite(.startsPrograms) struct KubernetesTests {
    @Test("A job with shards is an Indexed Job, in which each pod is a shard")
    func job() throws {
        let configuration = """
            services: [github, kubernetes]
            store: https://store.test/lane
            setup: [date]
            lane: { repository: "https://example.com/lane.git", version: 1.2.3 }
            jobs:
              tests: { lanes: [test], shards: 4, timeout: 20m }
              archives: { lanes: [package], needs: [tests] }
            """
        let location = PackageLocation(directory: "services/shape+")
        let kubernetes = try files(configuration, location: location).filter { $0.path.contains("kubernetes") }
        #expect(kubernetes.map(\.path) == ["services/shape+/ci/kubernetes-tests.yml"])
        expectGolden(kubernetes[0].text, "kubernetes-tests.yml")
    }

    /// Runs the script of the pod with a `lane` that writes its words as events, and a directory as the store.
    @Test("A pod downloads sources and tests from the store, and uploads its events regardless of failures")
    func pod() throws {
        let configuration = """
            services: [kubernetes]
            store: http://store.test
            lane: ./lane
            jobs: { tests: { lanes: [test], shards: 2 } }
            """
        let file = try #require(try files(configuration).first)
        let document = YAMLParser.parse(SourceFile(path: file.path, text: file.text)).node
        let container = try #require(document?["spec"]?["template"]?["spec"]?["containers"]?.sequence?.first)
        let script = try #require(container["command"]?.sequence?.last?.scalar?.text)
        let shell = try GitFixture()
        try shell.write(script, to: "script")
        try shell.write(
            "#!/bin/sh\nmkdir -p .lane/reports\ncat .lane/tests.tar.gz >$EVENTS\nexit $STATUS\n", to: "source/lane")
        try shell.write("packed", to: "store/7/tests.tar.gz")
        _ = try shell.shell("chmod +x source/lane; tar -czf store/7/source.tar.gz -C source .")
        func run(_ index: Int, _ status: Int, _ events: String) throws -> String {
            try shell.shell(
                """
                mkdir pod-\(index) && cd pod-\(index)
                export STORE="file://$PWD/../store" RUN=7 JOB_COMPLETION_INDEX=\(index) STATUS=\(status) EVENTS=\(events)
                sh -eu ../script && echo good || echo bad
                """)
        }
        #expect(try run(0, 1, ".lane/reports/shard-1.jsonl").hasSuffix("good"))
        #expect(try shell.shell("cat store/7/tests-1.jsonl") == "packed")
        #expect(try run(1, 1, "/dev/null").hasSuffix("bad"))
        #expect(try shell.shell("ls store/7") == "source.tar.gz\ntests-1.jsonl\ntests.tar.gz")
    }

    @Test(
        "A store and shards are necessary",
        arguments: [
            ("", "kubernetes needs the address of a store"),
            ("jobs: { a: { lanes: [test], shards: 2 } }", "kubernetes needs the address of a store"),
            ("store: /mnt\njobs: { a: { lanes: [test], shards: 2 } }", "kubernetes needs the address of a store"),
            (
                "store: https://store.test\njobs: { a: { lanes: [test] } }",
                "kubernetes runs only jobs with shards, and there are none"
            ),
        ])
    func mistakes(_ configuration: String, _ message: String) {
        #expect {
            try files("services: [kubernetes]\n\(configuration)")
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == [message]
        }
    }
}
