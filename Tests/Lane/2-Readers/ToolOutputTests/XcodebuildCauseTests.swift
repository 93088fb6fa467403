import Events
import Testing
import ToolOutput

/// Tests of the causes of failures that `xcodebuild` prints without a marker.
@Suite struct XcodebuildCauseTests {
    static let header = "Command line invocation:\n    /usr/bin/xcodebuild -scheme App build\n\n"

    static func errors(_ text: String) -> [String] {
        ReadLog(Array(text.utf8)).kinds.compactMap { kind in
            guard case .buildDiagnostic(let diagnostic) = kind, diagnostic.severity == .error else { return nil }
            return diagnostic.message
        }
    }

    @Test(arguments: [
        "Code Signing Error: Signing for \"App\" requires a development team. Select one in the project editor.",
        "Code Sign error: No code signing identities found: No valid signing identities were found.",
        "CodeSign error: code signing is required for product type 'Application' in SDK 'iOS 7.0'",
        "Code signing is required for product type 'Application' in SDK 'iOS 18.0'",
        "Signing for \"App\" requires a development team. Select a development team in the project editor.",
        "Signing for \"App\" requires selecting either a development team or a provisioning profile.",
        "No profiles for 'org.example.app' were found: Xcode couldn't find any iOS App Development profiles.",
        "No profile matching 'App Profile' found: Xcode couldn't find a profile matching it.",
        "No account for team \"ABC\". Add a new account in the Accounts preference pane.",
        "No certificate matching 'iPhone Distribution: Name (ABC)' for team 'ABC': Select a different certificate.",
        "No signing certificate \"Mac Development\" found: No certificate matching team ID \"ABC\" was found.",
        "None of your accounts are a member of 'ABC': Xcode cannot find a team matching 'ABC'.",
        "\"App\" requires a provisioning profile. Select a provisioning profile in the project editor.",
        "App requires a provisioning profile. Select one for the \"Debug\" build configuration.",
        "Provisioning profile \"App\" doesn't include signing certificate \"Apple Development: A\".",
        "Provisioning profile \"App\" has expired. Renew it.",
        "App has conflicting provisioning settings. App is automatically signed, but a profile was named.",
        "Swift is unavailable on iOS earlier than 7.0; please set IPHONEOS_DEPLOYMENT_TARGET to 7.0 or later.",
        "“Use Legacy Swift Language Version” (SWIFT_VERSION) is required to be configured correctly for Swift.",
        "The “Swift Language Version” (SWIFT_VERSION) build setting must be set to a supported value.",
        "ld: library not found for -lFoo", "ld: framework not found Foo", "ld: library 'Foo' not found",
        "/Derived/Build/Products/App.app: errSecInternalComponent",
    ])
    func unmarkedErrorsAreErrors(line: String) {
        for end in ["", "\n** BUILD FAILED **\n", "\nclang: error: linker command failed with exit code 1\n"] {
            let log = ReadLog(Array("\(Self.header)Check dependencies\n\(line)\(end)".utf8))
            #expect(log.verdict.isFailure)
            #expect(Self.errors("\(Self.header)Check dependencies\n\(line)\(end)").contains(line))
            #expect(log.unknown.allSatisfy { $0 == "Check dependencies" })
        }
    }

    /// The words occur in many lines that are not errors.
    @Test(arguments: [
        "Provisioning Profile: \"App Profile\"", "Signing Identity:     \"-\"",
        "CodeSign /Derived/App.app (in target 'App' from project 'App')",
        "note: Using codesigning identity override: -", "ld: warning: directory not found for option '-L/x'",
    ])
    func otherLinesAreNotErrors(line: String) {
        #expect(Self.errors("\(Self.header)\(line)\n\n** BUILD SUCCEEDED **\n").isEmpty)
    }

    @Test func reasonsBelowTestingFailedAreReported() {
        let text = """
            /src/App/A.swift:3:5: error: cannot find 'x' in scope
                x
                ^

            Testing failed:
            \tcannot find 'x' in scope
            \tAppUITests:
            \t\tAppUITests-Runner encountered an error (Failed to install or launch the test runner.)
            \tTesting cancelled because the build failed.

            ** TEST FAILED **

            """
        #expect(
            Self.errors(Self.header + text) == [
                "cannot find 'x' in scope",
                "AppUITests-Runner encountered an error (Failed to install or launch the test runner.)",
            ])
        #expect(Self.errors(Self.header + "Testing failed:\n\tcause at the end") == ["cause at the end"])
    }

    @Test(arguments: [
        ("warning: something", "warning"), ("/src/A.swift:1:2: warning: something", "warning at /src/A.swift:1:2"),
        ("error: something", "error"),
    ])
    func resultsAreNotPartOfADiagnostic(head: String, diagnostic: String) {
        let log = ReadLog(Array("\(Self.header)\(head)\n** BUILD FAILED **\n".utf8))
        #expect(log.verdict.isFailure)
        #expect(log.events.text == "\(diagnostic) \"something\"\n")
    }

    /// A test is printed when it has ended, and lines of several devices alternate.
    @Test func parallelTestsHaveNoStart() {
        let text = """
            Test suite 'A' started on 'Clone 1 of iPhone - App (1)'
            Test case 'A.testOne()' passed on 'Clone 1 of iPhone - App (1)' (0.003 seconds)
            Test case 'B.testTwo()' failed on 'Clone 2 of iPhone - App (2)' (0.003 seconds)
            Test case 'B.testTwo()' passed on 'Clone 2 of iPhone - App (2)' (0.003 seconds)
            Test case 'A.testThree()' passed on 'Clone 1 of iPhone - App (1)' (0.003 seconds)

            """
        let log = ReadLog(Array((Self.header + text).utf8))
        #expect(log.started.isEmpty)
        #expect(log.ended.map(\.attempt) == [1, 1, 2, 1])
    }

    @Test(arguments: ["note: ", "/src/App/en.lproj/Localizable.strings:1:1: note: "])
    func encodingOfAFileIsNotOutput(prefix: String) {
        let text = """
            Test Suite 'All tests' started at 2026-11-20 22:21:21.331.
            \(prefix)detected encoding of input file as Unicode (UTF-8) (in target 'App' from project 'App')

            """
        let log = ReadLog(Array((Self.header + text).utf8))
        #expect(log.events.text == "error \"the log ends before the result\"\n")
    }

    @Test(arguments: ["n → 2 to params(_:)", "n → 2 to \"With a name\""])
    func argumentsAreNotOutput(_ rest: String) {
        let name = rest.contains("\"") ? "\"With a name\"" : "params(_:)"
        let text = "◇ Test run started.\n◇ Test \(name) started.\n◇ Passing 1 argument \(rest)\n"
        let log = ReadLog(Array((text + "✔ Test \(name) passed after 0.1 seconds.\n").utf8))
        #expect(
            log.kinds.contains { if case .test(.argumentStarted(_, "n → 2")) = $0 { true } else { false } })
        #expect(!log.kinds.contains { if case .test(.output) = $0 { true } else { false } })
    }

    @Test func gitProgressIsOneLine() {
        let rows = (0...100).map { "Receiving objects: \($0)% (\($0)/100)" }.joined(separator: "\r")
        let text = "Fetching https://example.org/a\n\(rows), done.\nremote: Total 3\n"
        for head in ["", "warning: something\n"] {
            let log = ReadLog(Array((head + text).utf8))
            #expect(log.unknown.isEmpty)
            let told = log.events.text.split(separator: "\n").filter { $0.contains("Receiving objects") }
            #expect(told.count == 1)
        }
    }

    @Test func redrawnRowsAreOneLine() {
        let rows = (0...100).map { "Working \($0)%" }.joined(separator: "\r")
        let log = ReadLog(Array("\(rows)\nwarning: something\n\(rows)\n".utf8))
        #expect(log.unknown == ["Working 100%"])
        #expect(
            log.events.text == "warning \"something\"\n  | Working 100%\nerror \"the log ends before the result\"\n")
    }

    @Test(arguments: ["gold", "lld", "ld64"]) func failedLinksShowTheirCauses(linker: String) {
        let rows: [String] = (0..<400).map { number in
            let symbol = "missing_\(number / 8)"
            return switch linker {
            case "gold": "/tmp/a.o:a.o:function f\(number): error: undefined reference to '\(symbol)'"
            case "lld":
                "ld.lld: error: undefined symbol: \(symbol)\n"
                    + ">>> referenced by a.o\n>>>               /tmp/a.o:(f\(number))\n>>> referenced by b.o\n"
            default: "  \"_\(symbol)\", referenced from:\n      _f\(number) in a.o\n      _g\(number) in a.o\n      ..."
            }
        }
        let head =
            linker == "ld64"
            ? "Undefined symbols for architecture arm64:" : "error: link command failed with exit code 1"
        let end = "clang: error: linker command failed with exit code 1 (use -v to see invocation)\nerror: fatalError\n"
        let messages = Self.errors(([head] + rows).joined(separator: "\n") + "\n" + end)
        #expect(messages.count == 1)
        let lines = messages.first?.split(separator: "\n") ?? []
        #expect(lines.count <= 32)
        #expect(lines.contains { $0.contains("missing_0") })
        #expect(lines.contains { $0.contains("missing_5") })
        #expect(lines.last == (linker == "ld64" ? "… and 41 more" : "… and 40 more"))
    }
}
