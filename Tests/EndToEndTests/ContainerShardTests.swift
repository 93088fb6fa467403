import OperatingSystem
import TestSupport
import Testing

extension EndToEnd.ContainerTests {
    @Test("Shards run in containers of their own, and are one report")
    func shards() async throws {
        try await Engine.buildImage()
        let package = try MiniPackage(expecting: "good day")
        try package.directory.write("steps: [{ test: { junit: out/lane.xml } }]\n", to: "Lanes/test.yml")
        try await package.commit()
        let run = try await BuiltTool.lane.run(
            ["test", "--in", "docker", "--image", Engine.image, "--shards", "2", "--junit", "report.xml"],
            in: package.path, limits: RunLimits(timeout: .seconds(1800)))
        #expect(run.report.status == 1, "\(run.text)\(run.errorText)")
        #expect(run.text.contains("2 tests in 1 suite: 1 passed, 1 failed"), "\(run.text)")
        // The next run divides the tests by their times.
        let times = try package.directory.read(".lane/tests/history")
        #expect(times.split(separator: "\n").count { $0.hasPrefix("s ") } == 2)
        let report = try package.directory.read("report.xml")
        #expect(report.contains("MiniTests.swift"))
        #expect(try package.directory.read("out/lane.xml") == report)
    }

    @Test("A signal ends the containers of all shards")
    func interruptedShards() async throws {
        try await Engine.buildImage()
        let package = try MiniPackage()
        try package.directory.write(
            "import XCTest\nfinal class Long: XCTestCase {\n    func test1() { sleep(600) }\n    func test2() { sleep(600) }\n}\n",
            to: "Tests/MiniTests/Long.swift")
        try await package.commit()
        let text = """
            "$0" test --in docker --image \(Engine.image) --shards 2 >log 2>&1 & lane=$!
            until grep -q running log && [ "$(\(Self.label) | wc -l)" = 2 ]; do sleep 0.2; done
            kill -TERM $lane; wait $lane; echo status $?; \(Self.label); cat log >&2
            """
        let (run, _) = try await runScript(text, lanes: [:], in: package, limit: .seconds(600))
        #expect(run.text == "status 143\n", "\(run.errorText)")
    }
}
