extension XCTestObserver {
    /// The function that the loader calls, the linker's `-init`.
    static let entryPoint = "lane_observe_xctest"
    /// The pipe for the events.
    static let pipeVariable = "LANE_XCTEST_EVENTS"
    /// The path of the program to observe. Programs that start it may also load the library.
    static let programVariable = "LANE_XCTEST_PROGRAM"
    /// The value of `LD_PRELOAD` without the observer.
    static let preloadVariable = "LANE_XCTEST_PRELOAD"

    /// The source code of a library that writes XCTest's events as JSON objects, one per line. It is invisible to the tests and
    /// their child processes.
    ///
    /// It opens the pipe for each event, because a test may close or move all descriptors.
    static let source = """
        import XCTest

        #if canImport(Musl)
            import Musl
        #else
            import Glibc
        #endif

        @_cdecl("\(entryPoint)") public func observe() {
            guard let path = variable("\(pipeVariable)"), let program = realpath("/proc/self/exe", nil) else { return }
            defer { free(program) }
            guard variable("\(programVariable)") == String(cString: program) else { return }
            unsetenv("\(pipeVariable)")
            unsetenv("\(programVariable)")
            if let others = variable("\(preloadVariable)"), !others.isEmpty {
                setenv("LD_PRELOAD", others, 1)
            } else {
                unsetenv("LD_PRELOAD")
            }
            unsetenv("\(preloadVariable)")
            setvbuf(stdout, nil, _IOLBF, 0)
            XCTestObservationCenter.shared.addTestObserver(Observer(path))
        }

        private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

        private final class Observer: XCTestObservation {
            private let path: String
            private let lock = NSLock()

            init(_ path: String) { self.path = path }

            func testCaseWillStart(_ test: XCTestCase) { write(["event": "started", "test": test.name]) }

            func testCase(
                _ test: XCTestCase, didFailWithDescription text: String, inFile file: String?, atLine line: Int
            ) {
                write(["event": "issue", "test": test.name, "text": text, "file": file ?? "", "line": line])
            }

            func testCaseDidFinish(_ test: XCTestCase) {
                guard let run = test.testRun else { return }
                let outcome = run.hasBeenSkipped ? "skipped" : run.hasSucceeded ? "passed" : "failed"
                write(["event": "ended", "test": test.name, "outcome": outcome, "seconds": run.totalDuration])
            }

            func testBundleDidFinish(_ bundle: Bundle) { write(["event": "finished"]) }

            private func write(_ event: [String: Any]) {
                guard let line = try? JSONSerialization.data(withJSONObject: event) else { return }
                lock.lock()
                defer { lock.unlock() }
                guard let pipe = FileHandle(forWritingAtPath: path) else { return }
                try? pipe.write(contentsOf: line + [0x0A])
                try? pipe.close()
            }
        }

        """
}
