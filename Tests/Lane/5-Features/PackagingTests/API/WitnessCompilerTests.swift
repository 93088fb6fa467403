import APIComparison
import ActionFixtures
import OperatingSystem
import SwiftPackages
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite(.startsPrograms) struct WitnessCompilerTests {
    /// Returns a version with functions in modules.
    private func snapshot(_ functions: [String: Int]) throws -> APISnapshot {
        var snapshot = APISnapshot()
        for (module, number) in functions.sorted(by: { $0.key < $1.key }) {
            let symbols = (0..<number).map { index in
                """
                {"kind": {"identifier": "swift.func"}, "identifier": {"precise": "\(module)\(index)"},
                 "pathComponents": ["f\(index)()"], "accessLevel": "public",
                 "declarationFragments": [{"kind": "text", "spelling": "func f\(index)()"}]}
                """
            }
            let graph = "{\"symbols\": [\(symbols.joined(separator: ","))], \"relationships\": []}"
            snapshot.add([try JSONParser.parse(graph)], module: module, root: "/p")
        }
        return snapshot
    }

    /// Returns the findings for versions of which the new one lacks all functions.
    ///
    /// - Parameter error: The error of each program with the new version.
    private func findings(_ functions: [String: Int], error: String, in fixture: GitFixture) throws
        -> [APIReport.Finding]
    {
        try fixture.write(
            """
            #!/bin/sh
            echo "$*" >> ../runs
            case "$*" in *-DNEW*) ;; *) exit 0 ;; esac
            for file in "$@"; do
                case $file in w*.swift) echo "/x/$file:2:3: error: \(error)" ;; esac
            done
            exit 1

            """, to: "compiler")
        try fixture.shell("chmod +x compiler")
        let compiler = WitnessCompiler(
            tools: ToolRunner(context: fixture.context()), compiler: "\(fixture.path)/compiler",
            directory: "\(fixture.path)/witnesses", old: ["-DOLD"], new: ["-DNEW"])
        let new = try snapshot(functions.mapValues { _ in 0 })
        return try compiler.judge(APIComparison(from: try snapshot(functions), to: new).changes())
    }

    /// The time of a comparison is mostly that of the compiler, which imports the modules each time.
    @Test func theNumberOfCompilationsDoesNotGrowWithThatOfBreaks() throws {
        let fixture = try GitFixture()
        let findings = try findings(["Lines": 40, "Shapes": 20], error: "no function in $file", in: fixture)
        #expect(findings.count == 60 && findings.allSatisfy(\.isBreak))
        #expect(Set(findings.map(\.reason)).count == 60)
        // Each module is imported with both versions.
        #expect(try fixture.read("runs").lines.count == 4)
    }

    @Test(arguments: ["no such module 'Lines'", "missing required module 'CLines'"])
    func aModuleThatCannotBeLoadedProvesNothing(error: String) throws {
        let findings = try findings(["Lines": 2], error: error, in: try GitFixture())
        #expect(findings.count == 2 && findings.allSatisfy { !$0.isBreak })
    }

    @Test func errorsBelongToTheirPrograms() {
        let output = """
            /x/w3.swift:2:5: warning: old
            /x/w3.swift:2:5: error: first
            /x/w3.swift:3:5: error: second
            /x/.build/w.swift:1:1: error: another file
            w12.swift:1:8: error: no such module 'Shapes'
            <unknown>:0: error: of no file

            """
        #expect(WitnessCompiler.errors(in: output) == [3: "error: first", 12: "error: no such module 'Shapes'"])
    }
}
