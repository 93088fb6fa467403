#if os(Linux)
    import OperatingSystem
    import TestSupport
    import Testing

    @Suite struct DemoOutputTests {
        /// The redirection of standard output, the exit status, and the message.
        @Test(
            arguments: [
                ("> /dev/full", 74, "error: could not write 'standard output': No space left on device\n"),
                ("| true", 0, ""),
            ] as [(String, Int32, String)])
        func unwrittenOutputIsToldUnlessNobodyReadsIt(redirection: String, status: Int32, said: String) async throws {
            let directory = try TemporaryDirectory()
            let script = "'\(BuiltTool.demo.path)' letters \(redirection)"
            let run = try await capture(
                Command("/bin/sh", ["-c", script], environment: plainEnvironment(), directory: directory.path))
            #expect(run.report.status == status)
            #expect(String(decoding: run.standardError, as: UTF8.self) == said)
        }
    }
#endif
