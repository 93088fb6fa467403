import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Files that cannot be written are errors, and the exit status is correct")
    struct OutputTests {
        private static let lanes = [
            "hello": "steps:\n  - run: echo hello\n",
            "fail": "steps:\n  - run: echo before; exit 7\n",
            "much": "steps:\n  - id: talk\n    run: head -c 300000 /dev/zero | tr '\\0' x; echo\n",
        ]

        @Test(
            "On a full disk each requested file is complete or reported as missing",
            .enabled(if: Privilege.mounts, "needs leave to mount a file system"),
            arguments: ["--events", "--junit", "--html", "--summary"])
        func fullDisk(_ option: String) async throws {
            let text = """
                mkdir small
                unshare -m sh -c 'mount -t tmpfs -o size=4k none small && head -c 4096 /dev/zero > small/full
                    "$0" hello \(option) small/report; echo status $?; ls small' "$0"
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            // The event log is written during the run, so it exists, but is empty.
            let left = option == "--events" ? "full\nreport\n" : "full\n"
            #expect(run.text.hasSuffix("status 74\n" + left), "\(run.text)\(run.errorText)")
            #expect(redacted(run.errorText) == "error: could not write '<tmp>/small/report': No space left on device\n")
        }

        @Test(
            "With a full disk below .lane the lane runs, and the lost log and record are reported once",
            .enabled(if: Privilege.mounts, "needs leave to mount a file system"))
        func fullStateDirectory() async throws {
            let text = """
                unshare -m sh -c 'mkdir .lane && mount -t tmpfs -o size=64k none .lane && "$0" much; echo status $?' "$0"
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            #expect(run.text.hasSuffix("status 0\n"), "\(run.text.suffix(500))\(run.errorText)")
            let told = run.text.split(separator: "\n").filter { $0.contains("the rest of this log is lost") }
            #expect(told.count == 1, "\(run.text.suffix(500))")
            let unknown = run.text.split(separator: "\n").filter { $0.contains("may repeat steps") }
            #expect(unknown.count == 1)
            #expect(
                redacted(String(unknown[0])).replacing(/\d{15}/, with: "WHEN")
                    == "warning: could not write '<tmp>/.lane/runs/WHEN-much/events.jsonl': No space left on device; the next run may repeat steps"
            )
            #expect(run.text.filter { $0 == "x" }.count >= 300_000)
        }

        @Test("With a limit on file sizes the lane runs, and the incomplete log is reported once")
        func limitedFiles() async throws {
            let (run, _) = try await runScript("ulimit -f 16; \"$0\" much; echo status $?", lanes: Self.lanes)
            #expect(run.text.hasSuffix("status 0\n"), "\(run.text.suffix(500))\(run.errorText)")
            let told = run.text.split(separator: "\n").filter { $0.contains("the rest of this log is lost") }
            #expect(told.count == 1)
            #expect(
                told[0]
                    == "warning: could not write '.lane/logs/much/talk.log': File too large; the rest of this log is lost"
            )
        }

        @Test(
            "A full disk at the artifact's path is an error with the path, and no partial file remains",
            .enabled(if: Privilege.mounts, "needs leave to mount a file system"))
        func fullArtifactDirectory() async throws {
            let lane = "steps:\n  - package: { products: [Mini] }\n"
            let package = try MiniPackage(lanes: ["pack": lane])
            try await package.commit()
            let text = """
                mkdir dist
                unshare -m sh -c 'mount -t tmpfs -o size=8k none dist && "$0" pack; echo status $?; ls dist' "$0"
                """
            let (run, _) = try await runScript(text, lanes: [:], in: package)
            #expect(run.text.contains("No space left on device"), "\(run.text)\(run.errorText)")
            #expect(!run.text.hasSuffix("status 0\n"))
            #expect(run.text.split(separator: "\n").last?.hasPrefix("status ") == true, "\(run.text)")
        }

        @Test(
            "Standard output is full or closed, or standard error is closed, too",
            arguments: [
                ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor"), (">&- 2>&-", nil),
            ])
        func standardOutput(_ redirection: String, _ reason: String?) async throws {
            let text = """
                "$0" hello \(redirection); echo status $?
                "$0" fail \(redirection) ; echo status $?
                cat .lane/lock .lane/logs/*/*.log
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            #expect(run.text == "status 74\nstatus 74\nbefore\nhello\n", "\(run.text)")
            let error = reason.map { "error: could not write 'standard output': \($0)\n" } ?? ""
            #expect(run.errorText == error + error)
        }

        @Test(
            "A report is written through a link, to a pipe and to a device without replacing them",
            arguments: ["--events", "--junit", "--html", "--summary"])
        func linksPipesAndDevices(_ option: String) async throws {
            // A link to the device, so that a fault in this test replaces only the link.
            let text = """
                mkfifo pipe; ln -s pipe to-pipe; ln -s kept to-file; ln -s /dev/full to-device
                "$0" hello \(option) to-file; echo status $?; test -L to-file && test -s kept || ls -l
                cat pipe > copy & "$0" hello \(option) to-pipe; echo status $?; wait
                test -p pipe && test -L to-pipe && test -s copy || ls -l
                "$0" hello \(option) to-device; echo status $?; test -L to-device && test -c /dev/full || ls -l
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            let told = run.text.split(separator: "\n").filter { $0.hasPrefix("status ") || $0.contains("to-") }
            #expect(told == ["status 0", "status 0", "status 74"], "\(run.text)\(run.errorText)")
            #expect(redacted(run.errorText) == "error: could not write '<tmp>/to-device': No space left on device\n")
        }

        @Test("A reader that closes the pipe early changes neither the run nor its status")
        func earlyReader() async throws {
            let text = """
                "$0" much | true; echo ${PIPESTATUS[0]}
                "$0" fail | true; echo ${PIPESTATUS[0]}
                cat .lane/logs/much/talk.log | wc -c
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            #expect(run.text == "0\n7\n300001\n", "\(run.errorText)")
        }

        @Test(
            "In a read-only directory the lane runs",
            .enabled(if: Privilege.mounts, "needs leave to mount a file system"))
        func readOnlyDirectory() async throws {
            let text = """
                unshare -m sh -c 'mount --bind . . && mount -o remount,bind,ro . && cd "$PWD"
                    "$0" hello; echo status $?; "$0" fail; echo status $?; touch x 2> /dev/null || ls -a' "$0"
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes)
            #expect(
                redacted(run.text) == """
                    ▸ echo hello
                    hello

                    ✔ hello passed in <time>
                    status 0
                    ▸ echo before; exit 7
                    before
                    ✘ echo before; exit 7: exit status 7

                    ✘ fail failed with exit status 7 after <time>
                      run echo before; exit 7 again: lane fail
                    status 7
                    .
                    ..
                    .gitignore
                    Lanes
                    Package.swift
                    Sources
                    Tests

                    """, "\(run.errorText)")
        }
    }
}
