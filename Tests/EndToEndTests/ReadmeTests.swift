import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The examples in the README and the guide work")
    struct ReadmeTests {
        private static let project = repositoryRoot
        private let blocks: [CodeBlock]
        /// A directory with the lane files of the examples.
        private let directory = Result { try TemporaryDirectory() }
        /// Directories with the files that have the name of a file of another example.
        private var others: [TemporaryDirectory] = []

        init() throws {
            let guide = try listDirectory("\(Self.project)/docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
            blocks = try (["README.md"] + guide).flatMap { path in
                CodeBlock.all(in: try readText("\(Self.project)/\(path)"))
            }
            for block in blocks where block.language == "yaml" {
                let name = try #require(block.lines.first { $0.hasPrefix("# Lanes/") }?.dropFirst(2), "no file name")
                // Sources need a repository. The recipe has one.
                if name.hasPrefix("Lanes/remote/") { continue }
                let all = try [directory.get()] + others
                if let free = all.first(where: { !fileExists("\($0.path)/\(name)") }) {
                    try free.write(block.text, to: String(name))
                } else {
                    others.append(try TemporaryDirectory())
                    try others[others.count - 1].write(block.text, to: String(name))
                }
            }
        }

        @Test("All lane files in them are valid together")
        func laneFiles() async throws {
            let run = try await BuiltTool.lane.run(["check"], in: directory.get().path)
            #expect(run.report.status == 0, "\(run.errorText)")
            #expect(run.text.contains("lane files: no errors"))
            #expect(!others.isEmpty)
            for other in others {
                let run = try await BuiltTool.lane.run(["check"], in: other.path)
                #expect(run.report.status == 0, "\(run.errorText)")
            }
            let generated = try await BuiltTool.lane.run(["ci", "generate"], in: directory.get().path)
            #expect(generated.report.status == 0, "\(generated.errorText)")
        }

        @Test("All commands in them exist, with the options shown")
        func commands() async throws {
            let lines = blocks.filter { $0.language == "console" }.flatMap(\.lines).filter { $0.hasPrefix("$ ") }
            #expect(lines.count > 5)
            for line in lines {
                let words = line.dropFirst(2).prefix { $0 != "#" }.split(separator: " ").map(String.init)
                guard let program = words.first, ["lane", "ci/lane"].contains(program) else { continue }
                let name = words.count > 1 ? words[1] : "list"
                let isExample = fileExists("\(try directory.get().path)/Lanes/\(name).yml")
                let place = isExample ? try directory.get().path : Self.project
                // Only lanes have '--help-all'.
                var run = try await BuiltTool.lane.run([name, "--help-all"], in: place)
                if run.report.status != 0 { run = try await BuiltTool.lane.run([name, "--help"], in: place) }
                #expect(run.report.status == 0, "\(line): \(run.errorText)")
                for option in words.dropFirst(2) where option.hasPrefix("--") {
                    #expect(run.text.contains(option), "\(line)")
                }
                if isExample { try await expectPlan(words, of: line) }
            }
        }
    }
}

extension EndToEnd.ReadmeTests {
    /// Expects that a command's arguments have valid values. A plan can fail for other reasons, such as a missing secret.
    private func expectPlan(_ words: [String], of line: String) async throws {
        let others = ["--help", "--watch", "--list", "--resume", "--abort"]
        guard !words.contains(where: { others.contains($0) || $0.contains("'") || $0.contains("*") }) else { return }
        let plan = try await BuiltTool.lane.run(words.dropFirst() + ["--plan"], in: directory.get().path)
        #expect(![64, 66].contains(plan.report.status), "\(line): \(plan.errorText)")
    }
}

/// A fenced block of a Markdown text.
struct CodeBlock {
    let language: String
    let lines: [String]

    var text: String { lines.map { $0 + "\n" }.joined() }

    static func all(in document: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (language: String, lines: [String])?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(CodeBlock(language: block.language, lines: block.lines)) }
                open = open == nil ? (String(line.dropFirst(3)), []) : nil
            } else {
                open?.lines.append(String(line))
            }
        }
        return blocks
    }
}
