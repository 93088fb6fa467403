import CLibrary
import TestSupport
import Testing

@testable import OperatingSystem

#if os(Linux)
    /// The signals that children get when they are ended.
    @Suite struct StopSignalTests {
        private static let recorder = """
            record() { sh -c 'trap "echo INT >> log" INT; trap "echo TERM >> log" TERM
                echo $$ >> pids; i=0; while [ $i -lt '"$1"' ]; do sleep 0.05; i=$((i + 1)); done'; }

            """

        /// Runs a script until its processes have written `count` lines to `pids`, and cancels it.
        private func log(
            of script: String, processes count: Int, signal: Int32?, grace: Duration? = nil
        ) throws -> [String] {
            let directory = try TemporaryDirectory()
            let cancellation = Cancellation()
            let canceller = Thread {
                for _ in 0..<2_000 {
                    let started = (try? directory.read("pids"))?.split(separator: "\n").count ?? 0
                    if started >= count { break }
                    usleep(10_000)
                }
                // The traps are set before the process ID is written.
                cancellation.cancel(signal: signal)
            }
            _ = try ChildRunner().run(
                Command(
                    "sh", ["-c", Self.recorder + script], environment: plainEnvironment, directory: directory.path),
                limits: RunLimits(grace: grace, cancellation: cancellation)
            ) { _, _ in }
            canceller?.join()
            return ((try? directory.read("log")) ?? "").split(separator: "\n").map(String.init)
        }

        @Test(
            "Ctrl-C is SIGINT, and every other request SIGTERM",
            arguments: [
                (SIGINT, "INT"), (SIGTERM, "TERM"), (SIGHUP, "TERM"), (nil, "TERM"),
            ])
        func stopSignal(signal: Int32?, name: String) throws {
            #expect(try log(of: "record 20; true", processes: 1, signal: signal) == [name])
        }

        @Test("Each process gets one signal, although its shell ends earlier", arguments: [SIGINT, SIGTERM])
        func oneSignal(signal: Int32) throws {
            let name = signal == SIGINT ? "INT" : "TERM"
            let script = "record 20 | cat; true"
            #expect(try log(of: script, processes: 1, signal: signal) == [name])
        }

        @Test("A background process of a shell, which ignores SIGINT, gets SIGTERM when the shell has ended")
        func backgroundProcess() throws {
            let directory = try TemporaryDirectory()
            let cancellation = Cancellation()
            let start = Monotonic.now
            let report = try ChildRunner().run(
                Command(
                    "sh", ["-c", "sleep 100 & echo ready; wait"], environment: plainEnvironment,
                    directory: directory.path),
                limits: RunLimits(grace: .seconds(60), cancellation: cancellation)
            ) { _, _ in cancellation.cancel(signal: SIGINT) }
            #expect(report.termination == .signalled(SIGINT))
            #expect(Monotonic.now - start < .seconds(30))
        }

        @Test("A child of a cancelled run is ended like the run, and one of a failed run with SIGTERM")
        func followers() {
            let run = Cancellation()
            let service = Cancellation(following: run, from: .immediate)
            run.cancel(signal: SIGINT)
            service.cancel()
            #expect(service.stopSignal == SIGINT)
            let failed = Cancellation(following: Cancellation())
            failed.cancel()
            #expect(failed.stopSignal == SIGTERM)
            #expect(failed.signal == SIGINT)
        }
    }
#endif
