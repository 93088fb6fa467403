import CLibrary
import OperatingSystem
import Testing
import Text

@Suite("Project files agree with the sources")
struct ProjectFilesTests {
    @Test("Actions are pinned by commit, with the version beside it")
    func pinnedActions() throws {
        let uses = try Repository.files(below: ".github/workflows").flatMap { path in
            try Repository.lines(path).filter { $0.contains("uses:") }
        }
        #expect(!uses.isEmpty)
        for line in uses {
            let pin = line.split(separator: "@", maxSplits: 1).dropFirst().first ?? ""
            #expect(pin.prefix { $0.isHexDigit }.count == 40, "\(line)")
            #expect(pin.dropFirst(40).hasPrefix("  # v"), "\(line)")
        }
    }

    @Test("The version is the same wherever it is written")
    func version() throws {
        let constant = try Repository.lines("Sources/Tracer/Tracer/TracerVersion.swift").first {
            $0.contains("static let current")
        }
        let version = try #require(constant?.split(separator: "\"").dropFirst().first)
        #expect(try Repository.text("Tracer.podspec").contains("'\(version)'"))
        #expect(try Repository.text("docs/tracer.md").contains("from: \"\(version)\""))
    }

    @Test("The README is at most 150 lines long, and the guide's links lead to existing pages and headings")
    func documents() throws {
        #expect(try Repository.lines("README.md").count <= 151)
        let guide = try Repository.files(below: "docs").filter { $0.hasSuffix(".md") }
        #expect(guide.count >= 6)
        for path in ["README.md"] + guide {
            let directory = path.contains("/") ? parentDirectory(path) + "/" : ""
            for part in try Repository.text(path).split(separator: "](").dropFirst() {
                let link = part.prefix { $0 != ")" }
                guard !link.hasPrefix("http") else { continue }
                let target = link.prefix { $0 != "#" }
                let file = target.isEmpty ? path : directory + target
                #expect(fileExists("\(Repository.root)/\(file)"), "\(path) links to \(link)")
                guard target.count < link.count, file.hasSuffix(".md") else { continue }
                let anchor = String(link.dropFirst(target.count + 1))
                #expect(try Self.anchors(of: file).contains(anchor), "\(path) links to \(link)")
            }
        }
    }

    /// Returns the anchors of a page's headings, as GitHub and the site make them.
    private static func anchors(of page: String) throws -> [String] {
        try Repository.lines(page).filter { $0.hasPrefix("#") }.map { line in
            let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
            return String(title.map { $0 == " " ? "-" : $0 }.filter { $0.isLetter || $0.isNumber || "-_".contains($0) })
        }
    }

    @Test("Files that CONTRIBUTING.md names exist")
    func contributing() throws {
        let parts = try Repository.text("CONTRIBUTING.md").split(separator: "`", omittingEmptySubsequences: false)
        let paths = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }.filter { path in
            ["Sources/", "Tests/", "docs/"].contains(where: path.hasPrefix) && !path.contains("<")
        }
        #expect(paths.contains("Sources/Lane/2-Readers/LaneModel/Settings/ReportOption.swift"))
        for path in paths where !path.contains("*") {
            #expect(fileExists("\(Repository.root)/\(path)"), "\(path)")
        }
    }

    @Test(
        "What CONTRIBUTING.md adds, and the command line of tests, are named only in a few files, in code or in strings",
        arguments: [
            // An action.
            (name: "ChecksumAction", files: ["ChecksumAction", "ActionTable+BuiltIn"]),
            // A CI service, the commands in its log, and a format of CI files.
            ("buildkite", ["CIService"]),
            ("AzureCommands", ["AzureCommands", "CIService"]),
            ("kubernetes", ["KubernetesJob", "CIFormat"]),
            // A report file.
            ("SARIFReport", ["SARIFReport", "ReportFiles"]),
            // The command line of tests.
            ("TestRequest", ["TestRequest", "TestListing", "LaneInvocation", "RepeatCommands"]),
        ])
    func places(_ name: String, _ files: [String]) throws {
        let naming = try Repository.swiftFiles(below: "Sources/Lane").filter { path in
            swiftLines(try Repository.lines(path)).contains { line in
                (line.words + words(of: line.literals[...])).contains(Substring(name))
            }
        }
        #expect(Set(naming.map { String(lastPathComponent($0).dropLast(".swift".utf8.count)) }) == Set(files))
    }

    @Test("The reference lists all environment variables that lane reads")
    func environmentVariables() throws {
        let page = try Repository.text("docs/reference/environment.md")
        // Variables of the dynamic linker, the compiler and the test library, which only pass through.
        let passed: Set = [
            "LD_PRELOAD", "LD_LIBRARY_PATH", "NSUnbufferedIO", "LLVM_PROFILE_FILE", "SWIFT_BACKTRACE",
            "DEBUGINFOD_URLS", "TZ", "_",
            "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED",
        ]
        var names: Set<String> = []
        for path in try Repository.swiftFiles(below: "Sources/Lane") {
            let source = try Repository.text(path)
            for start in [#"environment[""#, #"isSet(""#] {
                for part in source.parts(separatedBy: start).dropFirst() {
                    names.insert(String(part.prefix { $0 != "\"" }))
                }
            }
        }
        #expect(names.isSuperset(of: ["NO_COLOR", "COLUMNS"]))
        for name in names.subtracting(passed).sorted() { #expect(page.contains(name), "\(name)") }
    }

    @Test("Scripts are executable and stop at the first error")
    func scripts() throws {
        // Files with an extension are no scripts.
        let scripts = try Repository.files(below: "ci").filter { !$0.contains(".") } + [".ci/run"]
        #expect(scripts.contains("ci/lane"))
        for path in scripts {
            #expect(access("\(Repository.root)/\(path)", X_OK) == 0, "\(path)")
            #expect(try Repository.text(path).hasPrefix("#!/bin/sh\n"), "\(path)")
            #expect(try Repository.lines(path).contains("set -eu"), "\(path)")
        }
    }

    @Test("The image needs no frontend from a registry, and no root")
    func image() throws {
        let dockerfile = try Repository.lines("Dockerfile")
        #expect(!dockerfile.contains { $0.hasPrefix("# syntax=") })
        let user = try #require(dockerfile.last { $0.hasPrefix("USER ") }?.dropFirst(5))
        #expect(user.allSatisfy { $0.isNumber || $0 == ":" } && !user.hasPrefix("0"))
    }
}
