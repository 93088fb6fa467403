import Arguments
import CLibrary
import OperatingSystem
import TestSupport
import Testing
import Text

@Suite struct LaneFileFaultTests {
    @Test func allErrorsOfLaneFilesAreReported() throws {
        let session = try Session(["Lanes/test.yml": "sumary: x\nsteps:\n  - rnu: [true]\n  - run: 3\n"])
        expectGolden(try session.run("check").transcript, "check-errors.txt")
        #expect(try session.run("test").status == .refused)
    }

    @Test func slowDescriptionsAreReported() throws {
        var session = try Session(["Lanes/a.yml": "steps: [run: [date]]\n"])
        session.processes = EndlessProcesses()
        try session.directory.write("#!/bin/sh\nsleep 60\n", to: "Lanes/actions/slow", mode: 0o755)
        #expect(
            try session.run("check").errors.hasPrefix(
                """
                error: 'Lanes/actions/slow describe' timed out after 10 s
                hint: with the argument 'describe', the executable must print its settings
                """))
    }

    @Test func invalidDescriptionsAreTheOnlyError() throws {
        var session = try Session(["Lanes/a.yml": "steps: [say: { text: x }]\n"])
        session.processes = ChildRunner()
        try session.directory.write("#!/bin/sh\necho '{\"settings\": 1}'\n", to: "Lanes/actions/say", mode: 0o755)
        #expect(
            try session.run("check").errors == """
                Lanes/actions/say describe:1:14: error: expected an array, found a number
                    {"settings": 1}
                                 ^
                1 error in lane files

                """)
    }

    @Test func unreadableFilesAreReportedWithOtherErrors() throws {
        let session = try Session(["Lanes/a.yml": "needs: [dir]\nsumary: x\n", "Lanes/dir.yml/x": ""])
        let lanes = "\(session.directory.path)/Lanes"
        #expect(symlink("loop.yml", "\(lanes)/loop.yml") == 0)
        #expect(symlink("no where.yml", "\(lanes)/gone.yml") == 0)
        #expect(mkfifo("\(lanes)/pipe.yml", 0o600) == 0)
        let errors = try session.run("check").errors
        #expect(
            errors == """
                Lanes/a.yml:2:1: error: unknown key 'sumary' in a lane
                    sumary: x
                    ^~~~~~
                hint: did you mean 'summary'?
                Lanes/dir.yml:1:1: error: expected a file, found a directory
                Lanes/gone.yml:1:1: error: expected a file, found a broken link to 'no where.yml'
                Lanes/loop.yml:1:1: error: could not read 'Lanes/loop.yml': Too many levels of symbolic links
                Lanes/pipe.yml:1:1: error: expected a file, found a pipe
                5 errors in lane files

                """)
        #expect(try session.run("list").status == .refused)
    }

    @Test func pipesAreNotReadAsCIConfiguration() throws {
        let session = try Session(["Lanes/a.yml": "steps: [run: [date]]\n", "Lanes/ci/x": ""])
        #expect(mkfifo("\(session.directory.path)/Lanes/ci/jobs.yml", 0o600) == 0)
        let errors = try session.run("check").errors
        #expect(errors.hasPrefix("Lanes/ci/jobs.yml:1:1: error: expected a file, found a pipe\n"))
    }

    @Test func unreadableLaneFilesDoNotEnableBuiltInLanes() throws {
        let outcome = try Session(["Lanes/dir.yml/x": ""]).run("list")
        #expect(outcome.status == .refused)
        #expect(outcome.output == "dir\n")
    }
}
