import CLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct ChildRunnerTests {
    let runner = ChildRunner()

    @Test func keepsTheTwoStreamsApart() throws {
        let run = try runner.capture(shell("echo out; echo err >&2; exit 3"))
        #expect(run.text == "out\n")
        #expect(run.errorText == "err\n")
        #expect(run.report.termination == .exited(3))
        #expect(run.report.status == 3)
        #expect(run.report.stoppedBy == nil)
        #expect(run.report.leakedProcesses.isEmpty)
    }

    @Test func reportsASignal() throws {
        let run = try runner.capture(shell("kill -SEGV $$"))
        #expect(run.report.termination == .signalled(SIGSEGV))
        #expect(run.report.status == 128 + SIGSEGV)
    }

    @Test func bytesAreUnchanged() throws {
        let run = try runner.capture(shell(#"printf '\000\377\302x'"#))
        #expect(run.standardOutput == [0, 0xFF, 0xC2, 0x78])
    }

    @Test func inputIsComplete() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let run = try runner.capture(Command("cat", environment: plainEnvironment, input: .bytes(bytes)))
        #expect(run.standardOutput == bytes)
    }

    @Test func unreadInputIsIgnored() throws {
        let bytes = [UInt8](repeating: 0, count: 1_000_000)
        let run = try runner.capture(shell("exec 0<&-; exit 4", input: .bytes(bytes)))
        #expect(run.report.status == 4)
    }

    @Test func withoutInputTheChildReadsItsEnd() throws {
        #expect(try runner.capture(shell("cat; echo done")).text == "done\n")
        #expect(try runner.capture(shell("cat; echo done", input: .bytes([]))).text == "done\n")
    }

    @Test func largeOutputIsPassedInParts() throws {
        var total = 0
        var largest = 0
        let command = shell("dd if=/dev/zero bs=65536 count=800 2>/dev/null")
        let report = try runner.run(command, limits: RunLimits()) { _, bytes in
            total += bytes.count
            largest = max(largest, bytes.count)
        }
        #expect(report.succeeded)
        #expect(total == 65536 * 800)
        #expect(largest <= 65536)
    }

    @Test func childHasOnlyTheGivenEnvironment() throws {
        let command = Command("/usr/bin/env", environment: ["ÄÖ": "a=b c", "EMPTY": ""])
        let lines = try runner.capture(command).text.split(separator: "\n").map(String.init).sorted()
        #expect(lines.filter { !$0.hasPrefix("LANE_CHILD=") } == ["EMPTY=", "ÄÖ=a=b c"])
        #expect(lines.contains { $0.hasPrefix("LANE_CHILD=") })
    }

    @Test func hiddenMarksAreInvisible() throws {
        let given = [
            "A": "1", "_": "/usr/bin/lane", "LANE_ROOT": "/package", "LANE_CHILD": "7", "PATH": "/usr/bin:/bin",
        ]
        // Perl, which git depends on, lists the variables of a program. A shell adds its own.
        let script = #"print "$_=$ENV{$_}\n" for sort keys %ENV"#
        let run = try runner.capture(Command("perl", ["-e", script], environment: given).hidingMarks)
        #expect(run.text == "A=1\nPATH=/usr/bin:/bin\n_=/usr/bin/perl\n", "\(run.errorText)")
    }

    @Test(arguments: [[:], ["LANE_CHILD": "7"], ["LANE_CHILD": ""]])
    func marksStartWithTheMarkOfThisProcess(environment: [String: String]) throws {
        let own = processEnvironment()["LANE_CHILD"].map { "\($0)/" } ?? ""
        let text = try runner.capture(Command("/usr/bin/env", environment: environment)).text
        let mark = try #require(text.split(separator: "\n").first { $0.hasPrefix("LANE_CHILD=") }).dropFirst(11)
        #expect(mark.hasPrefix(own))
        #expect(Int(mark.dropFirst(own.count)) != nil, "\(mark)")
    }

    @Test(arguments: ["plain", "with space", "日本語 ñ", "quote'\"$x"])
    func workingDirectory(name: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("#!/bin/sh\nbasename \"$PWD\"\n", to: "\(name)/tool", mode: 0o755)
        let below = "\(directory.path)/\(name)"
        #expect(
            try runner.capture(Command("./tool", environment: plainEnvironment, directory: below)).text == "\(name)\n")
        #expect(
            try runner.capture(Command("\(below)/tool", environment: plainEnvironment, directory: below)).text
                == "\(name)\n")
    }

    @Test func searchUsesTheChildsPath() throws {
        let directory = try TemporaryDirectory()
        try directory.write("#!/bin/sh\necho first\n", to: "a/tool", mode: 0o644)
        try directory.write("#!/bin/sh\necho second\n", to: "b/tool", mode: 0o755)
        try directory.write("x", to: "c/tool/file")
        let path = "missing:\(directory.path)/c:\(directory.path)/a:b:/bin"
        let command = Command("tool", environment: ["PATH": path], directory: directory.path)
        #expect(try runner.capture(command).text == "second\n")
    }

    @Test func aScriptWithoutInterpreterRunsInTheShell() throws {
        let directory = try TemporaryDirectory()
        let script = try directory.write("echo \"got $1\"\n", to: "script", mode: 0o755)
        #expect(try runner.capture(Command(script, ["it"], environment: plainEnvironment)).text == "got it\n")
    }

    @Test(
        arguments: [
            ("#!/no/such/thing -x\n", 0o755, "the first line of './it' names '/no/such/thing', which does not exist"),
            ("#! /bin/sh\r\nexit 0\r\n", 0o755, "the first line of './it' ends with a carriage return, as on Windows"),
            ("#!/bin/sh\n", 0o644, "'./it' is not executable"), (nil, 0o755, "'./it' is a directory, not a program"),
        ] as [(String?, mode_t, String)])
    func filesThatCannotBeExecutedAreReported(text: String?, mode: mode_t, reason: String) throws {
        let directory = try TemporaryDirectory()
        if let text { try directory.write(text, to: "it", mode: mode) } else { try directory.write("", to: "it/file") }
        let error = #expect(throws: SpawnError.self) {
            try runner.capture(Command("./it", environment: plainEnvironment, directory: directory.path))
        }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test func theHintForAFileThatIsNotExecutableIsQuoted() {
        #expect(SpawnError.cannotExecute("./s p.sh", .notExecutable).description.hasSuffix("hint: chmod +x './s p.sh'"))
    }

    @Test func oversizedPartIsReported() throws {
        let long = String(repeating: "x", count: 200_000)
        let half = [String](repeating: String(long.prefix(100_000)), count: 100)
        var variables = plainEnvironment
        variables["LONG"] = long
        for (command, oversize, text) in [
            (
                Command("true", ["a", long], environment: plainEnvironment), Oversize.argument(2, bytes: 200_000),
                "argument 2 has 200000 bytes"
            ),
            (
                Command("true", environment: variables), .variable("LONG", bytes: 200_005),
                "the environment's 'LONG' has 200005 bytes"
            ),
            (
                Command("true", half, environment: [:]), .all(bytes: 10_000_000),
                "arguments and environment together have 10000000 bytes"
            ),
        ] {
            let error = #expect(throws: SpawnError.tooLong("true", oversize)) { try runner.capture(command) }
            #expect(error?.description.hasPrefix("'true' could not be started: \(text), which exceeds") == true)
        }
    }

    @Test func failuresToStartAreErrors() throws {
        let directory = try TemporaryDirectory()
        let plain = try directory.write("x", to: "plain", mode: 0o644)
        let outside = SpawnError.executableNotFound("no-such-tool", container: nil)
        #expect(outside.description == "'no-such-tool' is not installed, or not in PATH")
        #expect(throws: outside) {
            try runner.capture(Command("no-such-tool", environment: ["PATH": "/bin:/usr/bin"]))
        }
        let inside = SpawnError.executableNotFound("no-such-tool", container: "--in docker --image box")
        #expect(
            inside.description == """
                there is no 'no-such-tool' in the container of '--in docker --image box'
                hint: use '--image' with an image that has it
                """)
        #expect(throws: inside) {
            let environment = ["PATH": "/bin:/usr/bin", "LANE_CONTAINER": "--in docker --image box"]
            return try runner.capture(Command("no-such-tool", environment: environment))
        }
        #expect(throws: SpawnError.directoryNotFound("/no/such/place")) {
            try runner.capture(Command("true", environment: plainEnvironment, directory: "/no/such/place"))
        }
        #expect(throws: SpawnError.directoryNotFound(plain)) {
            try runner.capture(Command("true", environment: plainEnvironment, directory: plain))
        }
        #expect(throws: SpawnError.cannotExecute(plain, .notExecutable)) {
            try runner.capture(Command(plain, environment: plainEnvironment))
        }
        #expect(throws: SpawnError.failed("true", errno: EINVAL)) {
            try runner.capture(Command("true", ["a\0b"], environment: plainEnvironment))
        }
    }

    @Test func childrenBeginWithDefaultSignalsAndNoDescriptors() throws {
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        #if os(Linux)
            let status = try runner.capture(Command("cat", ["/proc/self/status"], environment: plainEnvironment)).text
            for field in ["SigBlk", "SigIgn"] {
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field) })
                let set = try #require(UInt64(line.drop { $0 != "\t" }.dropFirst(), radix: 16))
                // Signals 32 and 33 belong to the C library.
                #expect(set & 0x7FFF_FFFF == 0, "\(line)")
            }
            let open = try runner.capture(shell("ls /proc/self/fd")).text
            #expect(open == "0\n1\n2\n3\n")  // the last is the directory that `ls` reads
            // The fifth field is the process group.
            let group = try runner.capture(shell("cut -d' ' -f5 /proc/$$/stat; echo $$")).text.split(separator: "\n")
            #expect(group.count == 2 && group[0] == group[1])
        #endif
    }

    @Test func manyAtOnceFromManyThreads() throws {
        let threads = (0..<4).compactMap { thread in
            Thread {
                for number in 0..<25 {
                    let text = "\(thread)/\(number)"
                    let run = try? ChildRunner().capture(Command("echo", [text], environment: plainEnvironment))
                    #expect(run?.text == text + "\n")
                }
            }
        }
        #expect(threads.count == 4)
        for thread in threads { thread.join() }
    }

    @Test func argumentsVariablesAndDirectoriesKeepTheirBytes() throws {
        let directory = try TemporaryDirectory()
        let text = String(pathBytes: [0x61, 0xFF, 0x62])
        try makeDirectories("\(directory.path)/\(text)")
        var command = shell("printf '%s %s %s' \"$X\" \"$0\" \"${PWD##*/}\"")
        command.arguments.append(text)
        command.environment["X"] = text
        command.directory = "\(directory.path)/\(text)"
        #expect(
            try runner.capture(command).standardOutput == Array([text, text, text].joined(separator: " ").pathBytes))
    }
}
