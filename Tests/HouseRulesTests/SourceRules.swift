import Testing

/// A rule that no line of certain files may violate.
struct SourceRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// Returns a Boolean value that indicates whether the rule applies to the file at a path relative to the root.
    let concerns: @Sendable (String) -> Bool
    let forbids: @Sendable (SwiftLine) -> Bool
    /// Lines that violate the rule, to test the rule.
    let examples: [String]
    /// Similar lines that don't violate the rule.
    let counterexamples: [String]

    var testDescription: String { name }

    static let all =
        [
            SourceRule(
                name: "no work is left for later", concerns: { _ in true },
                forbids: { line in
                    let isCode = line.comment.isEmpty && line.literals.isEmpty
                    return (isCode ? line.words : words(of: line.text)).contains {
                        $0 == "TO" + "DO" || $0 == "FIX" + "ME"
                    }
                },
                examples: ["// TO" + "DO: later"], counterexamples: ["let todo = 1"]),
            SourceRule(
                name: "no forced try, cast or unwrapping", concerns: { _ in true },
                forbids: { hasForcedUnwrapping($0.code) },
                examples: ["x = y!", "try! f()", "a[0]!.b", "f()!", "let a: Int!"],
                counterexamples: ["a != b", "if !b { }", "// done!", "print(\"ready!\")"]),
            SourceRule(
                name: "a programming fault has a reason", concerns: { _ in true },
                forbids: { line in
                    [("fatal" + "Error", "("), ("preconditionFailure", "()")].contains { name, arguments in
                        line.words.contains { $0 == name } && line.code.contains(name + arguments)
                    }
                },
                examples: ["fatal" + "Error(\"x\")", "preconditionFailure()"],
                counterexamples: ["preconditionFailure(\"reason\")"]),
            SourceRule(
                name: "what the compiler cannot check is explained", concerns: { _ in true },
                forbids: { line in
                    let isUnchecked = [("unchecked", "@unchecked"), ("nonisolated", "nonisolated(unsafe)")].contains {
                        name, code in
                        line.words.contains { $0 == name } && line.code.contains(code)
                    }
                    return isUnchecked && !line.isExplained
                },
                examples: ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"],
                counterexamples: ["nonisolated(unsafe) var a = 1  // only the main thread writes it"]),
            SourceRule(
                name: "no Foundation and no Dispatch", concerns: { $0.hasPrefix("Sources/") },
                forbids: { line in
                    importedModule(line.words).map { $0.hasPrefix("Foundation") || $0 == "Dispatch" } ?? false
                },
                examples: ["import Foundation", "package import FoundationEssentials", "import Dispatch"],
                counterexamples: ["import CLibrary", "// import Foundation"]),
            SourceRule(
                name: "the C library has one name on all systems",
                concerns: { $0.hasPrefix("Sources/Lane/") && !$0.hasPrefix("Sources/Lane/C/") },
                forbids: { line in
                    importedModule(line.words).map { ["Glibc", "Darwin", "Musl"].contains($0) } ?? false
                },
                examples: ["    import Glibc", "package import Darwin"], counterexamples: ["import CLibrary"]),
            SourceRule(
                name: "only the library has a public surface",
                concerns: {
                    $0.hasPrefix("Sources/") && !$0.hasPrefix("Sources/Tracer/Tracer/")
                        && !$0.hasPrefix("Sources/Tracer/TracerViews/") && !$0.hasPrefix("Sources/Lane/C/")
                },
                forbids: { line in
                    line.words.contains("public")
                        || line.words.first == "open" && line.words.dropFirst().first == "class"
                },
                examples: ["public let a = 1", "    public struct B {}", "open class C {"],
                counterexamples: ["package let publicKey = 1", "open(path)", "open.withLock {"]),
            SourceRule(
                name: "only SwiftPackages asks for the description of a package, and parses the output of a build",
                concerns: { path in
                    let owners = ["/SwiftPackages/", "/ToolOutput/"]
                    return path.hasPrefix("Sources/Lane/") && !owners.contains(where: path.contains)
                },
                forbids: { line in
                    line.words.contains("BuildOutputParser")
                        || ["\"dump-package\"", "\"describe\", \"--type\""].contains(where: line.text.contains)
                },
                examples: [
                    "try tools.text(\"swift\", [\"package\", \"dump-package\"], in: root)",
                    "let words = [\"describe\", \"--type\", \"json\"]", "var parser = BuildOutputParser(root: root)",
                ],
                counterexamples: ["return \"'swift package dump-package' failed\"", "git([\"describe\", \"--tags\"])"]),
            SourceRule(
                name: "only the program reads the environment, the wall clock and the terminal",
                concerns: { path in
                    // The record of a file compares the time of reading with the times of files.
                    let owners = ["/7-Program/", "/Processes/Monotonic.swift", "/UpToDate/FileRecord.swift"]
                    return path.hasPrefix("Sources/Lane/") && !owners.contains(where: path.contains)
                },
                forbids: { line in
                    let names: Set<Substring> = [
                        "getenv", "environ", "clock_gettime", "gettimeofday", "isatty", "ioctl",
                    ]
                    return line.words.contains(where: names.contains)
                },
                examples: ["let home = getenv(\"HOME\")", "clock_gettime(CLOCK_REALTIME, &now)", "isatty(1) == 1"],
                counterexamples: ["let environment = context.environment", "print(\"getenv\")"]),
            SourceRule(
                name: "a child is started only by OperatingSystem",
                concerns: { $0.hasPrefix("Sources/") && !$0.contains("/OperatingSystem/Processes/") },
                forbids: { line in
                    ["posix_spawn(", "fork(", "execve(", "system(", "popen("].contains { call in
                        line.words.contains(call.dropLast()) && line.code.contains(call)
                    }
                },
                examples: ["posix_spawn(&pid, path, nil, nil, argv, envp)", "system(line)"],
                counterexamples: ["let ecosystem = 1", "fileSystem(x)"]),
        ]
        + [
            imports(of: "CYaml", in: ["YAML"]), imports(of: "CNettle", in: ["Archives"]),
            imports(of: "CDeflate", in: ["Archives", "TracerPictures"]), imports(of: "CSpawn", in: ["OperatingSystem"]),
            imports(of: "CDemangle", in: ["ToolOutput"]), imports(of: "CBuild", in: ["LaneCommands"]),
        ]

    /// Returns the rule that only some modules import a C library.
    private static func imports(of library: String, in modules: [String]) -> SourceRule {
        SourceRule(
            name: "only \(modules.joined(separator: " and ")) sees \(library)",
            concerns: { path in path.hasPrefix("Sources/") && !modules.contains { path.contains("/\($0)/") } },
            forbids: { importedModule($0.words).map(String.init) == library },
            examples: ["import \(library)", "internal import \(library)"], counterexamples: ["import Text"])
    }
}

private func importedModule(_ words: [Substring]) -> Substring? {
    guard let index = words.prefix(2).firstIndex(of: "import") else { return nil }
    return words.dropFirst(index + 1).first
}

/// An exclamation mark directly after a value, a type, `try` or `as`.
private func hasForcedUnwrapping(_ code: String) -> Bool {
    guard code.utf8.contains(UInt8(ascii: "!")) else { return false }
    let characters = Array(code)
    return characters.indices.contains { index in
        guard characters[index] == "!", index > 0 else { return false }
        if index + 1 < characters.count, characters[index + 1] == "=" { return false }
        let before = characters[index - 1]
        return before.isLetter || before.isNumber || ")]_>}\"".contains(before)
    }
}
