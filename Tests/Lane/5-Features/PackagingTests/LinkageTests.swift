import ActionFixtures
import Actions
import Expressions
import LaneModel
import TestSupport
import Testing

@testable import Packaging
@testable import SwiftPackages

/// Tests of programs that cannot link the static C library.
@Suite(.startsPrograms) struct LinkageTests {
    private let notes = """
        commands:
          "C.who.module":
            args: ["/usr/bin/swiftc","-module-name","who","-emit-module","-o","/p/who"]
          "C.me-release.exe":
            args: ["/usr/bin/swiftc","-o","/p/release/me","-emit-executable","-static-executable"]
          "C.who-release.exe":
            tool: shell
            args: ["/usr/bin/swiftc","-L","/p a/release","-o","/p a/release/who","-emit-executable","@/p/who.list","-static-executable","-Xlinker","-s"]

        """

    @Test func theCommandIsFoundInTheNotesOfABuild() throws {
        let command = try #require(LinkCommand(of: "who", in: notes))
        #expect(command.words.count == 10)
        #expect(
            command.sharingTheCLibrary(into: "/q/who")?.words == [
                "/usr/bin/swiftc", "-L", "/p a/release", "-o", "/q/who", "-emit-executable", "@/p/who.list", "-Xlinker",
                "-s",
            ])
        #expect(command.sharingTheCLibrary(into: "/q/who")?.sharingTheCLibrary(into: "/q/who") == nil)
    }

    @Test(arguments: [
        "", "args: [\"-emit-executable\"", "args: [\"-emit-executable\"]", "args: [\"-emit-executable\",\"-o\"]",
        "args: {\"-emit-executable\":1}", "\"-emit-executable\"", "args: [\"-emit-executable\",\"-o\",\"/p/whoever\"]",
        "args: [\"-emit-executable\",\"-o\",\"/p/who/\\\",\"who\"]",
    ]) func otherNotesHaveNone(line: String) {
        #expect(LinkCommand(of: "who", in: line) == nil)
    }

    #if os(Linux)
        @Test func aProgramThatLooksUpUsersIsCompiledOnce() throws {
            let fixture = try GitFixture("who", keepingBuildsAs: "who")
            try fixture.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(name: "who", targets: [.executableTarget(name: "who")])

                """, to: "Package.swift")
            try fixture.write("import Glibc\nprint(getpwuid(0) != nil)\n", to: "Sources/who/main.swift")
            try fixture.write(".build/\ndist/\nout/\n", to: ".gitignore")
            try fixture.commit("Begin")
            let events = RecordedEvents()
            let processes = CountingProcesses()
            _ = try PackageAction().run(
                Settings(["version": .string("1.0.0")]), in: fixture.context(events: events, processes: processes))
            #expect(
                events.messages == ["'who' looks up users or hosts, so it is linked with the C library of the system"])
            #expect(processes.calls.count { $0.contains("--product") } == 1)
            // The result is the same as that of a complete build.
            let recipe = BuildRecipe(directory: fixture.path, isLinux: true)
            let words = recipe.executable("who", .standardLibrary).map { "'\($0)'" }.joined(separator: " ")
            try fixture.shell("swift \(words) && mkdir out && tar xzf dist/*.tar.gz -C out")
            #expect(try fixture.shell("cmp .build/static-stdlib/release/who out/*/bin/who && echo same") == "same")
            #expect(try fixture.shell("out/*/bin/who") == "true")
        }
    #endif
}
