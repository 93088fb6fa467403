import Files
import Processes
import TestSupport
import Testing

/// Compiles the views with stand-ins for the frameworks of Apple platforms, and runs a program that draws in them. The
/// stand-ins declare what the views use, so a wrong assumption about the frameworks is not found.
@Suite struct ViewsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static let expected = [
        "UIKit": """
        one stroke: 1 layer, 1 stroke
        canceled: 1 stroke
        complete: true [[46.0, 160.0, 67.0, 255.0]]
        undone: false 1
        feedback: ["began", "completedPath(0)", "began", "began", "completedPath(1)", "completed", "undone", \
        "began", "strayed", "mistake(1)"]
        restored and resized: true
        dark: [[81.0, 207.0, 102.0, 255.0]] width 8.0 scale 3.0
        labels: Letter l 0 percent drawn
        50,000 touches: 782 layers of up to 65 points

        """,
        "AppKit": """
        one stroke: 1 layer, 1 stroke
        canceled: 1 stroke
        complete: true [[46.0, 160.0, 67.0, 255.0]]
        undone: false 1
        feedback: ["began", "completedPath(0)", "began", "began", "completedPath(1)", "completed", "undone", \
        "began", "strayed", "mistake(1)"]
        restored and resized: true
        dark: [[81.0, 207.0, 102.0, 255.0]] width 4.0 scale 2.0
        labels: Letter l 0 percent drawn
        50,000 touches: 782 layers of up to 65 points

        """,
    ]

    @Test(arguments: ["UIKit", "AppKit"]) func theViewsRunWithStandIns(framework: String) throws {
        let tests = parentDirectory(#filePath)
        let sources = parentDirectory(parentDirectory(tests)) + "/Sources"
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        let strict = ["-warnings-as-errors"] + features.flatMap { ["-enable-upcoming-feature", $0] }
        var objects: [String] = []
        func compile(_ module: String, _ files: [String], _ flags: [String] = []) throws {
            objects.append("\(module).o")
            let problems = try output(
                "swiftc",
                [
                    "-swift-version", "6", "-parse-as-library", "-wmo", "-I", ".", "-module-name", module,
                    "-emit-module", "-c", "-o", "\(module).o",
                ] + flags + files)
            try #require(problems.isEmpty, "\(problems)")
        }
        for module in ["CoreGraphics", "QuartzCore", "Combine", framework, "SwiftUI"] {
            try compile(module, ["\(tests)/StandIns/\(module).swift"])
        }
        try compile("Tracer", try swiftFiles(below: "\(sources)/Tracer"), strict)
        try compile("TracerViews", try swiftFiles(below: "\(sources)/TracerViews"), strict)
        try compile("Program", ["\(tests)/StandIns/Program.swift"])
        let problems = try output("swiftc", objects + ["-lm", "-o", "program"])
        try #require(problems.isEmpty, "\(problems)")
        let lines = try output("\(folder.path)/program", []).split(separator: "\n", omittingEmptySubsequences: false)
        let stable = lines.filter { !$0.hasPrefix("seconds:") }.joined(separator: "\n")
        #expect(try stable == #require(Self.expected[framework]))
    }

    /// Runs a program, and returns what it writes.
    private func output(_ program: String, _ arguments: [String]) throws -> String {
        let run = try ChildRunner().capture(
            Command(program, arguments, environment: processEnvironment(), directory: folder.path),
            limits: RunLimits(timeout: .seconds(300)))
        return run.text + run.errorText
    }

    private func swiftFiles(below path: String) throws -> [String] {
        try listDirectory(path).flatMap { name -> [String] in
            let entry = "\(path)/\(name)"
            if isDirectory(entry) { return try swiftFiles(below: entry) }
            return name.hasSuffix(".swift") ? [entry] : []
        }
    }
}
