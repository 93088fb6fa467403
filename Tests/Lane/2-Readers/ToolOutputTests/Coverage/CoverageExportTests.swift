import OperatingSystem
import TestSupport
import Testing
import ToolOutput

@Suite(.startsPrograms) struct CoverageExportTests {
    @Test(arguments: ["", "{}", #"{"data": []}"#, #"{"data": [{"files": 1}]}"#]) func otherTextIsRefused(text: String) {
        #expect(throws: CoverageExport.Malformed.self) { try CoverageExport(json: Array(text.utf8)) }
    }

    /// A segment without a count ends a function, and a line between two segments has the count of the first.
    @Test func segmentsBecomeLines() throws {
        let segments = """
            [1, 10, 5, true, true, false], [2, 8, 3, true, true, false], [2, 20, 5, true, false, false],
            [4, 2, 0, false, false, false], [6, 1, 0, true, true, false], [6, 9, 0, false, false, false]
            """
        let json = #"{"data": [{"files": [{"filename": "/p/A.swift", "segments": [\#(segments)]}]}]}"#
        let file = try #require(try CoverageExport(json: Array(json.utf8)).files.first)
        #expect(file.path == "/p/A.swift")
        #expect(file.lines.map { "\($0.number): \($0.count)" } == ["1: 5", "2: 5", "3: 5", "4: 5", "6: 0"])
    }

    @Test func linesOfSourceLocationsMayBeAnywhere() throws {
        let segments =
            "[7, 1, 2, true, true, false], [2000000000, 1, 1, true, true, false], [3, 1, 0, false, false, false]"
        let json = #"{"data": [{"files": [{"filename": "/p/A.swift", "segments": [\#(segments)]}]}]}"#
        let file = try #require(try CoverageExport(json: Array(json.utf8)).files.first)
        #expect(file.lines.map(\.number) == [7, 2_000_000_000, 3])
    }

    private static let program = """
        struct Shape<Side> {
            var sides: [Side]

            func describe(_ text: (Side) -> String) -> String {
                sides.map { side in
                    text(side)
                }.joined(separator: ", ")
            }

            var isEmpty: Bool { sides.isEmpty }
        }

        func half(_ number: Int) -> Int? {
            guard number % 2 == 0 else {
                return nil

            }
            // A comment inside the function.
            return number / 2
        }

        func kind(_ number: Int) -> String {
            switch number {
            case ..<0:
                return "negative"
            case 0: return "zero"
            default: break
            }
            for step in 0..<3 where step > number { print(step) }
            var count = 0
            while count < 2 {
                defer { count += 1 }
                if count == 1, number > 100 { print("large") } else { _ = count > 0 ? { 1 }() : { 2 }() }
            }
            return "positive"
        }

        func unused(
            _ one: Int,
            _ other: () throws -> Int
        ) rethrows -> Int {
            do {
                return try other()
            } catch {
                return one
            }
        }

        print(Shape(sides: [1, 2]).describe { "\\($0)" }, Shape(sides: ["a"]).describe { $0 })
        print(half(4) ?? 0, kind(7), kind(0))
        """

    /// The numbers are those of the toolchain's own tracefile for lcov.
    @Test func linesAreThoseOfTheToolchain() throws {
        let directory = try TemporaryDirectory()
        try directory.write(Self.program, to: "main.swift")
        func output(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
            let environment = processEnvironment().merging(["LLVM_PROFILE_FILE": "\(directory.path)/a.profraw"]) { $1 }
            let run = try ChildRunner().capture(
                Command(tool, arguments, environment: environment, directory: directory.path))
            try #require(run.report.succeeded, "\(tool): \(run.errorText)")
            return run.standardOutput
        }
        _ = try output("swiftc", ["-profile-generate", "-profile-coverage-mapping", "main.swift", "-o", "program"])
        _ = try output("\(directory.path)/program", [])
        let found = String(decoding: try output("sh", ["-c", "readlink -f \"$(command -v swiftc)\""]), as: UTF8.self)
        let tools = found.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        _ = try output("\(tools)/llvm-profdata", ["merge", "-o", "a.profdata", "a.profraw"])
        func export(_ options: String...) throws -> [UInt8] {
            try output("\(tools)/llvm-cov", ["export", "-instr-profile=a.profdata"] + options + ["program"])
        }
        let lines = try #require(try CoverageExport(json: try export("-skip-functions")).files.first).lines
        let expected = String(decoding: try export("-format=lcov"), as: UTF8.self).split(separator: "\n")
        #expect(lines.map { "DA:\($0.number),\($0.count)" } == expected.filter { $0.hasPrefix("DA:") }.map(String.init))
        #expect(lines.contains { $0.count == 0 } && lines.contains { $0.count > 1 })
    }
}
