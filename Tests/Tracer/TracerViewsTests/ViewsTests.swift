import OperatingSystem
import TestSupport
import Testing

/// Compiles the views and the app in `Demo` with stand-ins for the frameworks of Apple platforms, and runs a program that draws in the views. The
/// stand-ins declare what the views use, so a wrong assumption about the frameworks is not found.
@Suite struct ViewsTests {
    private let directory: TemporaryDirectory
    /// The build directory, which is kept for the next run.
    private let build: String

    init() throws {
        directory = try TemporaryDirectory(keepingBuildsAs: "views")
        build = "\(directory.path)/.build"
    }

    private static let expected = [
        "UIKit": """
        palm, eraser, button: 0 strokes
        one stroke: 1 layer, 1 stroke
        canceled: 1 stroke
        complete: true [[46.0, 160.0, 67.0, 255.0]]
        undone: false 1
        feedback: ["began", "completedPath(0)", "began", "began", "completedPath(1)", "completed", "undone", \
        "began", "strayed", "mistake(1)"]
        restored and resized: true
        dark: [[81.0, 207.0, 102.0, 255.0]] width 8.0 scale 3.0
        same picture kept: true new picture shown: true
        labels: Letter l 0 percent drawn
        50,000 touches: 782 layers of up to 65 points

        """,
        "AppKit": """
        palm, eraser, button: 0 strokes
        one stroke: 1 layer, 1 stroke
        canceled: 1 stroke
        complete: true [[46.0, 160.0, 67.0, 255.0]]
        undone: false 1
        feedback: ["began", "completedPath(0)", "began", "began", "completedPath(1)", "completed", "undone", \
        "began", "strayed", "mistake(1)"]
        restored and resized: true
        dark: [[81.0, 207.0, 102.0, 255.0]] width 4.0 scale 2.0
        same picture kept: true new picture shown: true
        labels: Letter l 0 percent drawn
        50,000 touches: 782 layers of up to 65 points

        """,
    ]

    private static let tests = parentDirectory(#filePath)
    private static let sources = repositoryRoot + "/Sources/Tracer"
    /// The app, whose manifest only Apple's tools read. Its sources are compiled, as an app outside the package would be.
    private static let demo = repositoryRoot + "/Demo/Tracing.swiftpm"
    private static let strict =
        ["-warnings-as-errors", "-package-name", "tracer"]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
            ["-enable-upcoming-feature", $0]
        }

    @Test func theViewsRunWithStandIns() throws {
        let inputs = try inputs()
        if (try? readText("\(build)/inputs")) != inputs {
            try removeTree(build)
            try compile()
            try writeFile(inputs, to: "\(build)/inputs")
        }
        for (framework, expected) in Self.expected {
            let lines = try output("\(build)/\(framework)/program", []).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.filter { !$0.hasPrefix("seconds:") }.joined(separator: "\n") == expected, "\(framework)")
        }
    }

    /// Returns all that the programs depend on: the version of the compiler, the sources, and these tests.
    private func inputs() throws -> String {
        let files = try ["\(Self.sources)/Tracer", "\(Self.sources)/TracerViews", Self.tests, Self.demo].flatMap(
            swiftFiles)
        return try files.reduce(into: output("swiftc", ["--version"])) { $0 += "\($1)\n\(try readText($1))" }
    }

    /// Compiles a program for each framework.
    private func compile() throws {
        var shared: [String] = []
        for module in ["CoreGraphics", "QuartzCore", "Combine"] {
            shared.append(try compile(module, ["\(Self.tests)/StandIns/\(module).swift"]))
        }
        shared.append(try compile("Tracer", try swiftFiles(below: "\(Self.sources)/Tracer"), Self.strict))
        for framework in Self.expected.keys {
            var objects = shared
            for module in [framework, "SwiftUI"] {
                objects.append(try compile(module, ["\(Self.tests)/StandIns/\(module).swift"], for: framework))
            }
            let views = try swiftFiles(below: "\(Self.sources)/TracerViews")
            objects.append(try compile("TracerViews", views, Self.strict, for: framework))
            objects.append(try compile("Program", ["\(Self.tests)/StandIns/Program.swift"], for: framework))
            _ = try compile("Demo", ["\(Self.demo)/TracingApp.swift"], ["-warnings-as-errors"], for: framework)
            let problems = try output("swiftc", objects + ["-lm", "-o", "\(framework)/program"])
            try #require(problems.isEmpty, "\(problems)")
        }
    }

    /// Compiles a module, for all frameworks or for one of them, and returns its object file.
    private func compile(
        _ module: String, _ files: [String], _ flags: [String] = [], for framework: String = "."
    ) throws -> String {
        try makeDirectories("\(build)/\(framework)")
        let object = "\(framework)/\(module).o"
        let problems = try output(
            "swiftc",
            [
                "-swift-version", "6", "-parse-as-library", "-wmo", "-I", ".", "-I", framework, "-module-name", module,
                "-emit-module", "-c", "-o", object,
            ] + flags + files)
        try #require(problems.isEmpty, "\(problems)")
        return object
    }

    /// Runs a program, and returns what it writes.
    private func output(_ program: String, _ arguments: [String]) throws -> String {
        try makeDirectories(build)
        let run = try ChildRunner().capture(
            Command(program, arguments, environment: processEnvironment(), directory: build),
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
