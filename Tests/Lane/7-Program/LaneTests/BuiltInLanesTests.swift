import OperatingSystem
import TestSupport
import Testing
import Text

@Suite("Lane files replace the built-in lanes of their names, and no others")
struct BuiltInLanesTests {
    private static let nightly = "summary: Test in both configurations\nneeds: [test]\nsteps: [run: [date]]\n"

    /// Creates a package that has been built and run before.
    private func session(_ lanes: [String: String]) throws -> Session {
        try Session(
            lanes.merging([
                "Package.swift": "// swift-tools-version: 6.0\n", ".gitignore": ".build\n.lane\ndist\n",
                ".build/build.db": "", ".lane/last": "", "dist/mini.tar.gz": "",
            ]) { own, _ in own })
    }

    @Test("The first lane file keeps the built-in lanes, and the list marks them")
    func firstLaneFile() throws {
        let session = try session(["Lanes/nightly.yml": Self.nightly])
        expectGolden(try session.run().transcript, "first-lane-file.txt")
        #expect(try session.run("check").output == "1 lane file: no errors\n")
        for lane in ["build", "test", "package", "nightly"] {
            let run = try session.run(lane, "--plan")
            #expect(run.status == .done, "\(run.errors)")
        }
        let plan = try session.run("nightly", "--plan", "--json").output
        #expect(plan.contains("\"lane\": \"test\""))
        #expect(plan.contains("Lanes/nightly.yml") && !plan.contains("Lanes/test.yml"))
        let list = try session.run("list", "--json").output
        #expect(list.split(separator: "\"built-in\": true").count == 6)
    }

    @Test("A built-in lane and a lane of the package run one after another")
    func together() throws {
        let session = try session(["Lanes/nightly.yml": "steps: [run: [date]]\n"])
        let plan = try session.run("nightly", "+", "test", "--plan", "--json")
        #expect(plan.status == .done, "\(plan.errors)")
        #expect(plan.output.contains("\"lane\": \"test\"") && plan.output.contains("\"lane\": \"nightly\""))
    }

    @Test(
        "A file or an alias with the name of a built-in lane replaces it",
        arguments: [("Lanes/test.yml", ""), ("Lanes/test.yaml", ""), ("Lanes/unit.yml", "aliases: [test]\n")])
    func replaced(path: String, key: String) throws {
        let session = try session([path: "\(key)summary: My own tests\nsteps: [run: [make, check]]\n"])
        #expect(try session.run("check").status == .done)
        let plan = try session.run("test", "--plan", "--json")
        #expect(plan.output.contains("make check"), "\(plan.output)\(plan.errors)")
        let list = try session.run().output
        #expect(list.contains("My own tests") && !list.contains("Run the tests"))
    }

    @Test("A file that cannot be read replaces its built-in lane, so that the other lane does not run instead")
    func unreadable() throws {
        let session = try session(["Lanes/test.yml/x": ""])
        #expect(try session.run("test", "--plan").status == .refused)
        #expect(try session.run("build", "--plan").status == .done)
    }

    @Test("A misspelt name suggests built-in lanes")
    func suggestions() throws {
        let session = try session(["Lanes/nightly.yml": "needs: [tset]\nsteps: [run: [date]]\n"])
        #expect(try session.run("pakage").errors == "error: there is no lane 'pakage'\nhint: did you mean 'package'?\n")
        #expect(try session.run("check").errors.contains("hint: did you mean 'test'?"))
        #expect(try session.run("nightly").errors.contains("hint: did you mean 'test'?"))
    }

    @Test("A directory with lane files and no package has only its own lanes")
    func withoutPackage() throws {
        let session = try Session(["Lanes/all.yml": "steps: [run: [date]]\n"])
        #expect(try session.run().output == "all\n")
        #expect(
            try session.run("test").errors == """
                error: there is no lane 'test'
                hint: 'test' is built in only beside a Package.swift; 'lane init' writes it to Lanes/

                """)
        _ = try session.run("init")
        #expect(try session.run("test", "--plan").status == .done)
    }

    @Test("The secrets of built-in lanes are kept from built-in lanes, and passed to steps of other lanes")
    func secrets() throws {
        var session = try session(["Lanes/show.yml": "steps: [run: 'echo token=$GITHUB_TOKEN']\n"])
        session.environment["GITHUB_TOKEN"] = "0123456789abcdef"
        session.processes = ChildRunner()
        let run = try session.run("show", "--verbose")
        #expect(run.output.contains("token=0123456789abcdef"), "\(run.output)\(run.errors)")
    }

    @Test("The generated CI files keep the jobs of the built-in lanes")
    func ciFiles() throws {
        let session = try session([
            "Lanes/nightly.yml": Self.nightly, "ci/lane": "", "Tests/MiniTests/MiniTests.swift": "",
        ])
        #expect(try session.run("ci", "generate").status == .done)
        let text = try readText("\(session.directory.path)/.github/workflows/ci.yml")
        #expect(text.contains("ci/lane test") && text.contains("ci/lane package"))
    }
}
