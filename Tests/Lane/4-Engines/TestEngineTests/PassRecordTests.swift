import CLibrary
import OperatingSystem
import Synchronization
import TestEngine
import TestSupport
import Testing

@Suite struct PassRecordTests {
    /// A runner whose programs print set texts.
    private final class Programs: ProcessRunner {
        let texts = Mutex(["swift": "Swift version 6.3", "git": "a1 HEAD"])

        func run(
            _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
        ) throws(SpawnError) -> ExitReport {
            let text = texts.withLock { $0[command.executable] }
            Array((text ?? "").utf8).withUnsafeBytes { output(.standardOutput, $0) }
            return ExitReport(termination: .exited(text == nil ? 1 : 0), stoppedBy: nil, duration: .zero)
        }
    }

    private let place: TemporaryDirectory
    private let programs = Programs()
    private let manifest =
        "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"P\")\n"

    init() throws {
        place = try TemporaryDirectory()
        try place.write(manifest, to: "Package.swift")
        try place.write("a", to: "Sources/P/a.swift")
        try place.write("b", to: "Tests/PTests/b.swift")
        try place.write("c", to: "Tests/PTests/data/.hidden")
        try place.write("d", to: ".github/workflows/ci.yml")
    }

    private func record(_ settings: String = "{}", _ environment: [String: String] = ["PATH": "/usr/bin"]) -> PassRecord
    {
        PassRecord(
            file: "\(place.path)/.lane/tests/passed", package: place.path, settings: settings, environment: environment,
            processes: programs)
    }

    /// Returns a Boolean value that indicates whether a run may be skipped.
    private func isValid(_ record: PassRecord, at date: Double = 2000) -> Bool {
        record.state().map { record.age(of: $0, at: date) != nil } ?? false
    }

    private func pass(_ record: PassRecord) throws { record.save(try #require(record.state()), at: 1000) }

    @Test func aRecordIsForOneStateAndOneDay() throws {
        let record = record()
        #expect(!isValid(record))
        try pass(record)
        #expect(isValid(record))
        #expect(!isValid(record, at: 999))
        #expect(!isValid(record, at: 1000 + 86_401))
        #expect(!isValid(self.record("{\"retries\":1}")))
        #expect(!isValid(self.record("{}", ["PATH": "/bin"])))
        #expect(isValid(self.record("{}", ["PATH": "/usr/bin", "SHLVL": "3", "PWD": "/"])))
        for (program, text) in [("swift", "Swift version 6.4"), ("git", "a2 HEAD"), ("swift", nil)] {
            let before = programs.texts.withLock { $0[program] }
            programs.texts.withLock { $0[program] = text }
            #expect(!isValid(record))
            programs.texts.withLock { $0[program] = before }
        }
        #expect(isValid(record))
        record.remove()
        #expect(!isValid(record))
    }

    @Test(arguments: [".package(path: \"../Q\")", ".package(name: \"Q\", path: p)"])
    func packagesInOtherDirectoriesKeepNoRecord(_ dependency: String) throws {
        try place.write(manifest + "// x\nlet d = [\(dependency)]\n", to: "Package.swift")
        #expect(record().state() == nil)
    }

    @Test func aLinkOutOfTheDirectoryKeepsNoRecord() throws {
        #expect(symlink("\(place.path)/Sources", "\(place.path)/Tests/inside") == 0)
        try pass(record())
        #expect(isValid(record()))
        #expect(symlink("/usr", "\(place.path)/Tests/outside") == 0)
        #expect(record().state() == nil)
    }

    @Test func filesOfTheRepositoryAroundThePackageCount() throws {
        try place.write("ref", to: "top/.git/HEAD")
        try place.write("x", to: "top/fixture.txt")
        try place.write(manifest, to: "top/Tools/Package.swift")
        let record = PassRecord(
            file: "\(place.path)/passed", package: "\(place.path)/top/Tools", settings: "", environment: [:],
            processes: programs)
        try pass(record)
        try place.write("other", to: "top/.git/index")
        #expect(isValid(record))
        try place.write("y", to: "top/fixture.txt")
        #expect(!isValid(record))
    }

    @Test func reportsOfTheRunDoNotCount() throws {
        func record() -> PassRecord {
            PassRecord(
                file: "\(place.path)/.lane/tests/passed", package: place.path, settings: "",
                reports: ["\(place.path)/out/report.xml", "\(place.path)/attached"], environment: [:],
                processes: programs)
        }
        try pass(record())
        try place.write("a report", to: "out/report.xml")
        try place.write("a file", to: "attached/test/1.txt")
        #expect(isValid(record()))
        try place.write("another file", to: "out/other.xml")
        #expect(!isValid(record()))
    }

    /// Any edit of a file is seen; changes of builds and of `lane` are not.
    @Test func randomEditsAreSeen() throws {
        var random = SplitMix64(seed: 41)
        var files = [
            "Sources/P/a.swift", "Tests/PTests/b.swift", "Tests/PTests/data/.hidden", ".github/workflows/ci.yml",
        ]
        for round in 0..<60 {
            try pass(record())
            let ignored = [".build/debug/x\(round)", ".lane/runs/\(round).jsonl", "Tests/.git/\(round)"][round % 3]
            try place.write("\(round)", to: ignored)
            #expect(isValid(record()), "\(ignored)")
            let file = files.randomElement(using: &random) ?? ""
            let path = "\(place.path)/\(file)"
            let edit = Int.random(in: 0..<5, using: &random)
            switch edit {
            case 0: try place.write("\(random.next())", to: file)
            case 1:
                usleep(12_000)  // the resolution of file times
                let length = try readFile(path).count
                try place.write(String(repeating: "\(round % 10)", count: length), to: file)
            case 2 where files.count > 2:
                try removeTree(path)
                files.removeAll { $0 == file }
            case 3:
                try place.write("new", to: "\(file)\(round)")
                files.append("\(file)\(round)")
            default:
                try moveFile(path, to: "\(path)-\(round)")
                files.removeAll { $0 == file }
                files.append("\(file)-\(round)")
            }
            #expect(!isValid(record()), "round \(round): edit \(edit) of \(file)")
        }
    }
}
