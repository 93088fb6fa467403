import Files
import Processes
import TestSupport
import Testing

@Suite("The README's examples are real")
struct ReadmeTests {
    private let blocks: [CodeBlock]

    init() throws {
        let project = parentDirectory(parentDirectory(parentDirectory(#filePath)))
        blocks = CodeBlock.all(in: try readText("\(project)/README.md"))
    }

    @Test("Its lane files are right, all together")
    func laneFiles() throws {
        let folder = try TemporaryDirectory()
        let files = blocks.filter { $0.language == "yaml" }
        #expect(!files.isEmpty)
        for block in files {
            let name = try #require(block.lines.first { $0.hasPrefix("# Lanes/") }?.dropFirst(2), "no file name")
            try folder.write(block.text, to: String(name))
        }
        let run = try BuiltTool.lane.run(["check"], in: folder.path)
        #expect(run.report.status == 0, "\(run.errorText)")
    }

    @Test("Its commands exist")
    func commands() throws {
        let project = parentDirectory(parentDirectory(parentDirectory(#filePath)))
        let lines = blocks.filter { $0.language == "console" }.flatMap(\.lines).filter { $0.hasPrefix("$ ") }
        #expect(!lines.isEmpty)
        for line in lines {
            let words = line.dropFirst(2).split(separator: " ").map(String.init)
            guard let program = words.first, ["lane", "ci/lane"].contains(program), words.count > 1 else { continue }
            let arguments = words[1].hasPrefix("-") ? [words[1]] : [words[1], "--help"]
            let run = try BuiltTool.lane.run(arguments, in: project)
            #expect(run.report.status == 0, "\(line): \(run.errorText)")
        }
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
