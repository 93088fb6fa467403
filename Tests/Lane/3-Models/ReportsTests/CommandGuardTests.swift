import Events
import TestSupport
import Testing
import Text

@testable import Reports

/// Tests that CI services do not interpret the output of child processes.
@Suite struct CommandGuardTests {
    @Test(arguments: [
        ("::error::x", "\\::error::x"), ("  ::error::x", "  \\::error::x"), ("\u{A0}\u{FEFF}::error::x", nil),
        ("\u{0}:\u{200B}:error::x", nil), ("a ::b::", "a ::b::"), ("std::string", "std::string"),
        ("progress\r::set-output name=a::b", "progress\r\\::set-output name=a::b"),
        ("see ##[error]x", "see #\\#[error]x"), ("a##vso[task.complete]", "a#\\#vso[task.complete]"),
        ("#\u{200B}#[error]", nil), ("## heading", "## heading"), (":", ":"),
    ])
    func linesThatLookLikeCommandsAreMarked(line: String, expected: String?) {
        let whole = shown([Array("\(line)\n".utf8)])
        if let expected { #expect(whole == "\(expected)\n") } else { #expect(whole != "\(line)\n") }
        #expect(whole.filter { $0 != "\\" } == "\(line)\n")
        // The result does not depend on the size of the chunks.
        for place in 1..<line.utf8.count + 1 {
            let bytes = Array("\(line)\n".utf8)
            #expect(shown([Array(bytes[..<place]), Array(bytes[place...])]) == whole)
        }
    }

    @Test func aLineWithoutEndIsShownWhenTheStepEnds() {
        #expect(shown([Array("::error::x".utf8)]) == "\\::error::x\n")
    }

    @Test func aVeryLongLineIsPassedOnInParts() {
        let line = String(repeating: "x", count: 200_000) + "##[error]"
        let text = shown(
            stride(from: 0, to: line.utf8.count, by: 7000).map { Array(line.utf8.dropFirst($0).prefix(7000)) })
        #expect(text == String(repeating: "x", count: 200_000) + "#\\#[error]\n")
    }

    /// Invisible characters may separate the parts of a command.
    @Test func aCommandAcrossTheLimitIsMarked() {
        let start = String(repeating: "x", count: CommandGuard.maximumLineLength - 6) + "#"
        let gap = String(repeating: "\u{200B}", count: 7)
        let text = shown([Array((start + gap).utf8), Array("#[error]y\n".utf8)])
        #expect(text == "\(start)\\\(gap)#[error]y\n")
    }

    @Test func withoutAServiceNothingIsChanged() {
        #expect(shown([Array("::error::x\n".utf8)], commands: nil) == "::error::x\n")
    }

    /// Returns the output of a plain report for a step that prints chunks.
    private func shown(_ chunks: [[UInt8]], commands: (any LogCommands)? = GitHubCommands()) -> String {
        var events: [(String?, LaneEvent.Kind)] = [("a", .stepStarted(StepStart(name: "a", action: "run")))]
        events += chunks.map { ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: $0))) }
        events.append(("a", .stepEnded(StepEnd(name: "a", outcome: .passed, duration: .zero))))
        let text = ReportFixture.text(of: ReportFixture.events(events)) {
            PlainReport(style: .plain, commands: commands, write: $0)
        }
        let head = commands == nil ? "▸ a\n" : "::group::a\n▸ a\n"
        #expect(text.hasPrefix(head))
        let rest = text.dropFirst(head.count)
        return String(commands == nil ? rest : rest.dropLast("::endgroup::\n".count))
    }
}
