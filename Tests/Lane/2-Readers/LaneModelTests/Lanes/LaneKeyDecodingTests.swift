import LaneFixtures
import LaneModel
import Testing
import Text

/// Tests that the decoder reads each declared key, and that the order of the declarations is one for decoding.
@Suite struct LaneKeyDecodingTests {
    /// A value for each key of a step that differs from the default.
    private static let stepValues = [
        "id": "a", "name": "b", "if": "success()", "foreach": "[x, y]", "env": "{ A: b }", "directory": "sub",
        "secrets": "[KEY]", "timeout": "5s", "grace": "7s", "retry": "2", "continue-on-error": "true",
        "interactive": "true", "inputs": "[a]", "outputs": "[b]",
    ]

    /// A value for each key of a lane that differs from the default, for a lane with a step that prints a date.
    private static let laneValues = [
        "summary": "a", "description": "b", "aliases": "[other]", "group": "c", "default": "true", "confirm": "Sure?",
        "include": "[_more.yml]", "private": "true", "parameters": "{ p: string }", "needs": "[first]",
        "if": "always()",
        "matrix": "{ m: [a, b] }", "let": "{ v: 1 }", "env": "{ A: b }", "directory": "sub", "dotenv": "[.env]",
        "secrets": "[KEY]", "timeout": "5s", "grace": "7s", "retry": "2", "transaction": "true",
        "then": "[{ run: [date] }]", "on-failure": "[{ run: [date] }]", "always": "[{ run: [date] }]",
    ]

    /// Returns all values of the lane except locations.
    private func decoded(_ text: String) -> String {
        let files = ["lane": text, "first": "steps: [run: [date]]", "_more": "env: { MORE: x }"]
        return LaneFiles.check(laneSources(files), with: .samples).lanes.filter { $0.name == "lane" }.map(Self.values)
            .joined()
    }

    private static func values(of value: Any) -> String {
        if value is Span || value is SourceFile { return "" }
        let children = Mirror(reflecting: value).children
        guard !children.isEmpty else { return "\(value)" }
        return "(\(children.map { "\($0.label ?? ""):\(values(of: $0.value))" }.joined(separator: ",")))"
    }

    /// The other tests of this suite depend on it.
    @Test func unknownKeysChangeNothing() {
        let lane = "steps:\n  - run: [date]\n"
        #expect(decoded(lane).contains("date"))
        #expect(decoded("\(lane)    unknown: 5s\n") == decoded(lane))
        #expect(decoded("\(lane)unknown: 5s\n") == decoded(lane))
    }

    @Test(arguments: LaneKeys.step.map(\.name))
    func keysOfStepsAreDecoded(_ key: String) throws {
        // Keys of 'lane' and 'parallel' steps.
        guard key != "parameters", key != "parallel" else { return }
        let value = try #require(Self.stepValues[key], "this test has no value for the key")
        let head = "secrets: [KEY]\nsteps:\n  - run: [date]\n"
        #expect(decoded("\(head)    \(key): \(value)\n") != decoded(head))
    }

    @Test(arguments: LaneKeys.lane.map(\.name))
    func keysOfLanesAreDecoded(_ key: String) throws {
        // The steps are there anyway, and only '_package.yml' has steps before all lanes.
        guard key != "steps", key != "before-all" else { return }
        let value = try #require(Self.laneValues[key], "this test has no value for the key")
        let steps = "steps: [run: [date]]\n"
        #expect(decoded("\(steps)\(key): \(value)\n") != decoded(steps))
    }

    /// Parameters, secrets and the matrix are declared after all keys here, but decoded before those that read them.
    @Test func namesAreKnownInKeysBefore() {
        let lane = """
            always: [{ run: ["${{ env.A }}", "${{ steps.a.outcome }}"] }]
            steps: [{ id: a, run: [date], directory: "${{ matrix.m }}" }]
            env: { A: "${{ let.v }}", B: "${{ matrix.m }}" }
            if: parameters.p == 'x'
            needs: [{ lane: first, parameters: { q: "${{ parameters.p }}" } }]
            let: { v: { run: "echo ${{ parameters.p }}", secrets: [KEY] }, w: "${{ matrix.m }}" }
            secrets: [KEY]
            matrix: { m: [a, b] }
            parameters: { p: string }
            """
        let files = ["lane": lane, "first": "parameters: { q: string }\nsteps: [run: [date]]\n"]
        #expect(LaneFiles.check(laneSources(files), with: .samples).diagnostics.all.map(\.message) == [])
    }

    @Test(arguments: LaneKeys.lane.map(\.name))
    func keysOfIncludedFiles(_ key: String) {
        let shared = [
            "include", "parameters", "secrets", "let", "env", "dotenv", "before-all", "on-failure", "always",
        ]
        let files = [
            "lane": "include: [_a.yml]\nsteps: [run: [date]]\n", "_a": "\(key): \(Self.laneValues[key] ?? "[]")\n",
        ]
        let messages = LaneFiles.check(laneSources(files), with: .samples).diagnostics.all.map(\.message)
        #expect(messages.contains("'\(key)' is not allowed in an included file") == !shared.contains(key))
    }
}
