import TestSupport
import Testing
import Text

/// Lane files that are not where `lane` reads them, or have another name.
@Suite struct MisplacedFileTests {
    private static let run = MistakeTests.run

    @Test(arguments: [
        ("lanes/a.yml", "move 'lanes/a.yml' to 'Lanes/a.yml'"), ("Lanes/a.YML", "move 'Lanes/a.YML' to 'Lanes/a.yml'"),
        ("Lanes/a.yml.txt", "move 'Lanes/a.yml.txt' to 'Lanes/a.yml'"),
        ("Lanes/sub/a.yml", "move 'Lanes/sub/a.yml' to 'Lanes/a.yml'"),
        ("Lanes.yml", "each lane has a file of its own: split 'Lanes.yml'"),
    ])
    func aFileAtAnotherPathIsFound(_ path: String, _ hint: String) throws {
        for words in [["a"], ["check"], ["list"]] {
            let outcome = try Session([path: Self.run]).run(words)
            #expect(outcome.status == .fileNotFound)
            #expect(outcome.errors.contains("hint: \(hint)"), "\(outcome.errors)")
        }
        guard path != "Lanes.yml" else { return }
        for words in [["a"], ["check"], ["list"]] {
            let outcome = try Session(["Package.swift": "", path: Self.run]).run(words)
            #expect((outcome.status == .done) == (words != ["a"]))
            #expect(outcome.errors.contains("hint: \(hint)"), "\(outcome.errors)")
            #expect(outcome.errors.contains("'\(path)' is not read as a lane") == (words != ["a"]), "\(outcome.errors)")
        }
        let above = try Session(["shapes/Package.swift": "", path: Self.run]).run("check")
        #expect(above.errors.contains("hint: \(hint)"), "\(above.errors)")
    }

    @Test(
        "Files of editors and file systems are no misplaced lanes",
        arguments: [".#a.yml", "._a.yml", ".a.yml.swp", "a.yml~"])
    func hiddenFilesAreNoLanes(_ name: String) throws {
        let outcome = try Session(["Lanes/b.yml": Self.run, "Lanes/\(name)": Self.run]).run("list")
        #expect(outcome.status == .done && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test func aMisplacedFileMayHaveLineEndsOfWindows() throws {
        let outcome = try Session(["Package.swift": "", "a.yml": "summary: A\r\nsteps:\r\n  - run: a\r\n"]).run("a")
        #expect(outcome.errors.contains("hint: move 'a.yml' to 'Lanes/a.yml'"), "\(outcome.errors)")
    }

    @Test(arguments: ["Lanes/old/a.yml", "lane/a.yml", "Lanes/a.yml.txt"])
    func aFileIsNotMovedOverAnotherOne(_ path: String) throws {
        let outcome = try Session(["Lanes/a.yml": Self.run, path: Self.run]).run("check")
        #expect(outcome.status == .done && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test(arguments: [
        ["lines/a.yml": Self.run], ["lanes/docker-compose.yml": "services: {}\n"],
        ["Lanes/scripts/docker-compose.yml": "services: {}\n"],
    ])
    func otherFilesAreNotTakenForLanes(_ files: [String: String]) throws {
        let outcome = try Session(files).run("check")
        #expect(outcome.status == .fileNotFound)
        #expect(!outcome.errors.contains("move"), "\(outcome.errors)")
        let package = try Session(files.merging(["Package.swift": ""]) { $1 }).run("check")
        #expect(package.status == .done && package.errors.isEmpty, "\(package.errors)")
    }

    @Test func namesThatDifferOnlyInCaseAreReported() throws {
        let session = try Session(["Package.swift": "", "Lanes/Test.yml": Self.run, "Lanes/Deploy.yml": Self.run])
        let outcome = try session.run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("'Test' does not replace the built-in lane 'test'"), "\(outcome.errors)")
        #expect(outcome.errors.contains("hint: rename the file to 'test.yml'"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Deploy"))
    }

    @Test func twoFilesOfOneNameAreNamed() throws {
        let outcome = try Session(["Lanes/a.yml": Self.run, "Lanes/a.yaml": Self.run]).run("check")
        #expect(outcome.errors.contains("hint: remove this file or 'Lanes/a.y"), "\(outcome.errors)")
    }

    @Test func aFileInPlaceOfTheDirectoryOfLanes() throws {
        let outcome = try Session(["Package.swift": "", "Lanes": "test: {}\n"]).run("check")
        #expect(outcome.errors.contains("'Lanes' is a file, so there are no lane files"), "\(outcome.errors)")
    }
}
