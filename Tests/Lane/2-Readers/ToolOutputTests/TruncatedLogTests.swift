import Events
import TestSupport
import Testing
import ToolOutput

/// Tests of logs that end in the middle, which must never pass.
@Suite struct TruncatedLogTests {
    /// The texts that contain a result: the end of a build, of a run, or of an action of `xcodebuild`.
    static let results = [
        "Build complete!", "Test Suite 'All tests' passed at ", "Test Suite 'Selected tests' passed at ",
        "** BUILD SUCCEEDED **", "** TEST SUCCEEDED **", "\"runEnded\"", "Computed ",
    ]

    /// Logs that pass, in the formats of the recorded logs.
    static let passing: [(name: String, text: String)] = [
        ("XCTest", Self.xctest),
        ("Swift Testing", Self.testing),
        ("swift test", Self.build + Self.xctest + Self.testing),
        ("swift build", Self.build),
        ("swift build of 5.4", "[1/3] Compiling A A.swift\n[3/3] Build complete!\n"),
        (
            "resolution",
            "Fetching https://a.b/c\nFetched https://a.b/c (1.0s)\nComputing version for https://a.b/c\nComputed https://a.b/c at 1.0.0 (0.2s)\n"
        ),
        ("parallel", "[1/2] Testing A.B/c\n[2/2] Testing A.B/d\n"),
        ("windows", Self.testing.replacing("◇", with: "◊").replacing("✔", with: "√")),
        (
            "xcodebuild",
            "Command line invocation:\n    /usr/bin/xcodebuild -scheme M build\n\nCompileSwift normal arm64 /x/A.swift (in target 'A' from project 'A')\n    cd /x\n\n** BUILD SUCCEEDED **\n"
        ),
    ]

    static let build =
        "[0/1] Planning build\nBuilding for debugging...\n[1/2] Compiling A A.swift\nBuild complete! (1.0s)\n"
    static let testing =
        "◇ Test run started.\n◇ Suite S started.\n◇ Test a() started.\n✔ Test a() passed after 0.001 seconds.\n✔ Suite S passed after 0.001 seconds.\n✔ Test run with 1 test in 1 suite passed after 0.001 seconds.\n"
    static let xctest = """
        Test Suite 'All tests' started at 2026-01-01 00:00:00.000
        Test Suite 'ATests' started at 2026-01-01 00:00:00.000
        Test Case 'ATests.testA' started at 2026-01-01 00:00:00.000
        Test Case 'ATests.testA' passed (0.1 seconds)
        Test Suite 'ATests' passed at 2026-01-01 00:00:00.100
        \t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
        Test Suite 'All tests' passed at 2026-01-01 00:00:00.100
        \t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds

        """

    static func isGreen(_ log: ReadLog) -> Bool {
        !log.verdict.isFailure && !log.verdict.isForeign && !log.verdict.hasRunNothing
    }

    static func hasResult(_ prefix: some Sequence<UInt8>) -> Bool {
        let text = String(decoding: Array(prefix), as: UTF8.self)
        return results.contains { text.contains($0) }
            || text.split(whereSeparator: \.isNewline).contains { line in
                line.contains("Test run with ") && line.contains(" passed after ") || isLastCounter(line)
            }
    }

    /// Returns a Boolean value that indicates whether a line is `[4/4] Testing M.A/test`, the only result of XCTest in
    /// `swift test --parallel`.
    private static func isLastCounter(_ line: Substring) -> Bool {
        guard let end = line.firstRange(of: "] Testing ")?.lowerBound, let start = line[..<end].lastIndex(of: "[")
        else {
            return false
        }
        let numbers = line[start..<end].dropFirst().split(separator: "/")
        return numbers.count == 2 && numbers[0] == numbers[1]
    }

    /// Lines contain no suite, and many suites may have a test such as `roundTrip()`.
    @Test func manyTestsOfOneName() {
        let (start, end) = ("◇ Test same() started.\n", "✔ Test same() passed after 0.001 seconds.\n")
        let text =
            "◇ Test run started.\n" + String(repeating: start, count: 4000) + String(repeating: end, count: 4000)
            + "✔ Test run with 4000 tests in 4000 suites passed after 0.001 seconds.\n"
        let log = ReadLog(Array(text.utf8))
        #expect(Self.isGreen(log) && log.verdict.passed == 4000)
    }

    /// Lines of other programs in a script say nothing about tests that have a result.
    @Test(arguments: [
        "=== Tests on Linux ===", "Package: demo", "Testing started", "Test Plan: nightly",
        "Build description signature: 1", "Signing Identity: none", "make: *** [Makefile:3: lint] Error 1 (ignored)",
        "fatal: not a git repository (or any of the parent directories): .git",
        "Quit", "Terminated", "run.sh: line 5: 4242 Terminated              ./server",
    ])
    func linesOfOtherProgramsInPassingLogs(_ line: String) {
        for (name, text) in Self.passing {
            #expect(Self.isGreen(ReadLog(Array("\(line)\n\(text)".utf8))), "before \(name)")
            // Without the tests of Swift Testing, `swift test` may have been ended before them.
            let isSignal = line.contains("Quit") || line.contains("Terminated")
            let isGreen = !isSignal || text.contains("Test run with ")
            #expect(Self.isGreen(ReadLog(Array("\(text)\(line)\n".utf8))) == isGreen, "after \(name)")
        }
        #expect(!Self.isGreen(ReadLog(Array("\(line)\n\(Self.xctest.dropLast(400))\(line)\n".utf8))))
    }

    /// A phase of another program begins no build.
    @Test(arguments: [
        "Fetching origin", "Updating 0a1b2c3..4d5e6f7", "Cloning into 'x'...", "Downloading foo.zip", "Starting server",
        "Resolving dependencies", "[1/4] Resolving packages...", "[2/5] RUN apt-get update", "Building for arm64",
        "Compiling contracts", "Computing checksums", "Removing old files", "remote: Counting objects: 3",
        "Prepare packages for release", "Resolved source packages:", "Provisioning Profile: none",
        "Testing passed on Linux", "note: Using build description from disk", "note: Building targets in parallel",
    ])
    func phasesOfOtherProgramsAroundPassingLogs(_ line: String) {
        for (name, text) in Self.passing {
            #expect(Self.isGreen(ReadLog(Array("\(line)\n\(text)".utf8))), "before \(name)")
            // A resolution has no other end than that of its last phase.
            let isPhase = name == "resolution" && line.hasPrefix("Fetching ")
            #expect(Self.isGreen(ReadLog(Array("\(text)\(line)\n".utf8))) == !isPhase, "after \(name)")
        }
        #expect(!Self.isGreen(ReadLog(Array("\(line)\n".utf8))))
        #expect(!Self.isGreen(ReadLog(Array("\(Self.build.dropLast(30))\(line)\n".utf8))))
        let unfinished = "\(Self.testing)Building for debugging...\n[1/2] Compiling A A.swift\n\(line)\n"
        #expect(!Self.isGreen(ReadLog(Array(unfinished.utf8))))
    }

    @Test(arguments: [
        "Killed", "test.sh: line 3:  4242 Killed      swift test", "Segmentation fault (core dumped)",
        "./ci.sh: line 9: 4242 Terminated              swift test --package-path B",
    ])
    func killedCommandsInPassingLogs(_ line: String) {
        #expect(!Self.isGreen(ReadLog(Array("\(line)\n\(Self.testing)".utf8))))
        #expect(!Self.isGreen(ReadLog(Array("\(line)\nQuit\n\(Self.testing)".utf8))))
    }

    @Test(arguments: passing) func prefixesOfPassingLogsFail(name: String, text: String) {
        let bytes = Array(text.utf8)
        #expect(Self.isGreen(ReadLog(bytes)))
        for end in bytes.indices where Self.isGreen(ReadLog(Array(bytes[..<end]))) {
            #expect(Self.hasResult(bytes[..<end].filter { _ in true }), "green at \(end)")
            let tail = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").last ?? ""
            #expect(!tail.contains("started"), "green after the start of a test, suite or run, at \(end)")
        }
    }

    /// Each test of a recorded log ends in a green prefix, and the prefix contains a result.
    @Test(arguments: LogReaderTests.runs) func prefixesOfRecordedLogsFail(run: String) throws {
        let bytes = try LogReaderTests.bytes(run)
        var ends = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
        ends += stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60))
        for end in ends where end < bytes.count {
            let prefix = Array(bytes[..<end])
            guard Self.isGreen(ReadLog(prefix, root: LogReaderTests.root(run))) else { continue }
            #expect(Self.hasResult(prefix), "\(run) is green at \(end)")
        }
    }

    @Test(arguments: [
        "", "\n", "Killed\n", "Segmentation fault (core dumped)\n", "LLVM ERROR: out of memory\n",
        "Building for debugging...\n[0/40] Write sources\n[3/40] Compiling Foo A.swift\n", "[0/1] Planning build\n",
        "Build complete! (1.0s)\n[1/2] Compiling A A.swift\n", "Fetching https://a.b/c\n",
        "\(build)Killed\n", "\(build)/x/test.sh: line 3:  4242 Killed                  swift test\n",
        "\(testing)Segmentation fault (core dumped)\n", "\(xctest)make: *** [Makefile:3: test] Error 1\n",
        "\(xctest)Error: The process '/usr/bin/swift' failed with exit code 1\n",
        "\(xctest)The command \"swift test\" exited with 1.\n", "\(testing)error Command failed with exit code 137.\n",
        "\(testing)The command '/bin/sh -c swift test' returned a non-zero code: 1\n",
        "\(testing)task: Failed to run task \"test\": exit status 1\n",
        "\(xctest)##[error]Process completed with exit code 137.\n", "\(testing)◇ Test run started.\n",
        "\(xctest)Test Suite 'All tests' started at 2026-01-01 00:00:01.000\n",
        "◇ Test run started.\n\(testing)", "\(build)[1/2] Compiling A A.swift\nwarning: unused\nKilled\n",
        "CompileSwift normal arm64 /x/A.swift (in target 'A' from project 'A')\n    cd /x\n",
        "** BUILD SUCCEEDED **\n\nCommand line invocation:\n    /usr/bin/xcodebuild -scheme M test\n",
        "{\"kind\":\"event\",\"payload\":{\"instant\":{\"absolute\":1,\"since1970\":1},\"kind\":\"runStarted\",\"messages\":[]},\"version\":0}\n",
    ])
    func logsWithoutTheirResultFail(text: String) {
        let log = ReadLog(Array(text.utf8))
        #expect(log.verdict.isFailure)
        #expect(log.verdict.isTruncated || !text.isEmpty && log.verdict.buildErrors > 0)
        #expect(log.text.contains("the log ends before the result") == log.verdict.isTruncated)
    }

    @Test(arguments: [
        xctest + testing, testing + xctest, build + "Process finished\n", testing + "Killed processes: 0\n",
        testing + build, xctest + build, testing + "The command \"swift test\" exited with 0.\n",
        "[0/1] Planning build\n\(testing)", "\(testing)[0/1] Planning build\n",
        "Command line invocation:\n    /usr/bin/xcodebuild -resolvePackageDependencies\n\nResolved source packages:\n  A: https://a.b/c @ 1.0.0\n",
    ])
    func logsWithTheirResultPass(text: String) {
        let log = ReadLog(Array(text.utf8))
        #expect(!log.verdict.isFailure, "\(log.text)")
    }
}
