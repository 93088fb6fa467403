import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Errors in lane files are exact and come before anything runs")
    struct LaneFileErrorTests {
        @Test(
            "A misspelt key is shown with its location, its line and a fix",
            arguments: [["check"], ["hello"], ["hello", "--plan"]])
        func misspeltKey(_ arguments: [String]) async throws {
            let package = try MiniPackage(lanes: [
                "hello": """
                summary: Say hello
                steps:
                  - name: Greet
                    rum: echo hello
                """
            ])
            let run = try await BuiltTool.lane.run(arguments, in: package.path)
            #expect(run.report.status == 65)
            #expect(run.text == "")
            expectGolden(run.errorText, arguments == ["check"] ? "misspelt-key-check.txt" : "misspelt-key.txt")
        }

        @Test("All errors in all files are reported at once")
        func everythingAtOnce() async throws {
            let package = try MiniPackage(lanes: [
                "one": """
                summary: Wrong in several ways
                parameters:
                  level: { type: integer, default: high }
                needs: [tow]
                timeout: soon
                steps:
                  - run: echo ${{ parameters.lvel }}
                  - test: { jobs: many }
                """,
                "two": "steps:\n  - run: [\"true\"]\n  - lane: one\n    name: twice\n    name: twice\n",
                "three": "steps:\n\t- run: \"true\"\n",
            ])
            let run = try await BuiltTool.lane.run(["check"], in: package.path)
            #expect(run.report.status == 65)
            expectGolden(run.errorText, "everything-at-once.txt")
        }

        @Test("For an unknown lane, the nearest name is suggested")
        func unknownLane() async throws {
            let package = try MiniPackage(lanes: ["deploy": "steps:\n  - run: [\"true\"]\n"])
            let run = try await BuiltTool.lane.run(["deplay"], in: package.path)
            #expect(run.report.status == 66)
            expectGolden(run.errorText, "unknown-lane.txt")
        }

        @Test("An invalid parameter is reported with the accepted values")
        func wrongParameter() async throws {
            let package = try MiniPackage(lanes: [
                "greet": """
                parameters:
                  times: { type: int, position: 1, default: 1, help: How often }
                  loud: { type: bool, default: false, help: In capitals }
                steps:
                  - run: ["true"]
                """
            ])
            let run = try await BuiltTool.lane.run(["greet", "often", "--lowd"], in: package.path)
            #expect(run.report.status == 64)
            expectGolden(run.errorText, "wrong-parameter.txt")
        }
    }
}
