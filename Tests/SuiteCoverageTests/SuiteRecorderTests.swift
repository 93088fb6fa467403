import Files
import SuiteCoverage
import TestSupport
import Testing

@Suite struct SuiteRecorderTests {
    private static let lcov = """
        SF:/p/Sources/A.swift
        FN:3,$s1A
        FN:9,$s1B
        FNDA:4,$s1A
        FNDA:0,$s1B
        DA:3,4
        end_of_record
        SF:/elsewhere/B.swift
        FN:1,$s1A
        FN:2,$s1O
        end_of_record
        SF:/p/Sources/a,b.swift
        FN:2,$s1C
        end_of_record

        """

    /// The output of `llvm-profdata show --all-functions`.
    private static func shown(_ names: [String]) -> String {
        "Counters:\n"
            + names.map { "  \($0):\n    Hash: 0x0000000000000000\n    Counters: 1\n    Function count: 4\n" }.joined()
            + "Instrumentation level: Front-end\nFunctions shown: 2\nTotal functions: 2\n"
    }

    /// Returns a recorder whose tools list the names in the profiles.
    private func recorder(in directory: String) -> SuiteRecorder {
        SuiteRecorder(directory: directory) { _, arguments in
            if arguments[0] == "merge" {
                let names = arguments.dropFirst(4).compactMap { try? readText($0) }
                try? writeFile(Array(names.joined(separator: "\n").utf8), to: arguments[3])
                return []
            }
            let names = (try? readText(arguments[2])) ?? ""
            return Array(Self.shown(names.split(separator: "\n").map(String.init)).utf8)
        }
    }

    private func run(_ names: [String], of key: SuiteRecorder.Key, in recorder: SuiteRecorder) throws {
        let (pattern, directory) = recorder.profile()
        #expect(pattern.hasPrefix("\(directory)/"))
        if !names.isEmpty {
            try makeDirectories(directory)
            try writeFile(Array(names.joined(separator: "\n").utf8), to: "\(directory)/1.profraw")
        }
        recorder.add(directory, of: key)
        #expect(!fileExists(directory))
    }

    @Test func functionsOfAllProcessesOfASuiteAreRecorded() throws {
        let directory = try TemporaryDirectory()
        let recorder = recorder(in: directory.path)
        let (one, two) = (SuiteRecorder.Key(module: "T", suite: "One"), SuiteRecorder.Key(module: "T", suite: "Two"))
        let four = SuiteRecorder.Key(module: "T", suite: "Four")
        let three = SuiteRecorder.Key(module: "T", suite: "Three")
        try run(["$s1A"], of: one, in: recorder)
        try run(["/p/Sources/a,b.swift:$s1C", "$s1O"], of: one, in: recorder)
        try run(["$s1B"], of: two, in: recorder)
        try run(["$s1B"], of: three, in: recorder)
        // No binary contains this function.
        try run(["$s1A", "$sUnknown"], of: four, in: recorder)
        // This process ended without a profile.
        try run([], of: three, in: recorder)
        let record = recorder.record(
            lcov: Array(Self.lcov.utf8),
            passed: [
                one: ["T.One/b()", "T.One/a()"], three: ["T.Three/a()"], four: ["T.Four/a()"], two: ["T.Two/a()"],
            ]
        ) { $0.hasPrefix("/p/") ? String($0.dropFirst(3)) : nil }
        #expect(record.functions == ["Sources/A.swift": [3, 9], "Sources/a,b.swift": [2]])
        #expect(
            record.suites == [
                .init(
                    module: "T", name: "One", tests: ["T.One/a()", "T.One/b()"],
                    executed: ["Sources/A.swift": [3], "Sources/a,b.swift": [2]]),
                .init(module: "T", name: "Two", tests: ["T.Two/a()"], executed: ["Sources/A.swift": [9]]),
            ])
    }
}
