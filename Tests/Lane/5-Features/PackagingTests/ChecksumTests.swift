import ActionFixtures
import Actions
import Archives
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing

@testable import Packaging

@Suite(.startsPrograms) struct ChecksumTests {
    private func fixture() throws -> GitFixture {
        let fixture = try GitFixture("sums")
        try fixture.write("one\n", to: "dist/one.txt")
        try fixture.write("two\n", to: "dist/a b.zip")
        try fixture.write("three\n", to: "dist/deep/three.txt")
        return fixture
    }

    @Test func eachFileGetsASumThatSha256sumTakes() throws {
        let fixture = try fixture()
        let result = try fixture.run(ChecksumAction())
        #expect(
            result.outputs["files"]
                == .list(
                    ["dist/a b.zip.sha256", "dist/one.txt.sha256"].map { .string($0) }))
        #expect(try fixture.shell("ls dist/deep") == "three.txt")
        #expect(try fixture.shell("cd dist && cat *.sha256 | sha256sum -c --strict") == "a b.zip: OK\none.txt: OK")
        // Checksum files get no checksums, and unchanged files are not written.
        let before = try fixture.shell("find dist -name '*.sha256' -printf '%p %i\\n' | sort")
        let events = RecordedEvents()
        try fixture.run(ChecksumAction(), events: events)
        #expect(try fixture.shell("find dist -name '*.sha256' -printf '%p %i\\n' | sort") == before)
        #expect(events.all.isEmpty)
        #expect(ChecksumVerification.problems(of: ["dist/a b.zip", "dist/one.txt"], below: fixture.path) == [])
    }

    @Test func listedDirectoriesContributeTheirFiles() throws {
        let fixture = try fixture()
        let result = try fixture.run(
            ChecksumAction(), ["files": .list([.string("dist/deep"), .string("./dist/*.zip")])])
        #expect(
            result.outputs["files"]
                == .list(["dist/a b.zip.sha256", "dist/deep/three.txt.sha256"].map { .string($0) }))
    }

    @Test func oneFileForAll() throws {
        let fixture = try fixture()
        let settings: [String: Value] = ["files": .list([.string("dist/**")]), "into": .string("dist/SHA256SUMS")]
        try fixture.run(ChecksumAction(), settings)
        #expect(
            try fixture.shell("cd dist && sha256sum -c --strict SHA256SUMS")
                == "a b.zip: OK\ndeep/three.txt: OK\none.txt: OK")
        #expect(ChecksumVerification.problems(of: ["dist/SHA256SUMS"], below: fixture.path) == [])
        try fixture.shell("mkdir sums")
        let failure = fixture.refusal(
            of: ChecksumAction(), ["files": .string("dist/*"), "into": .string("sums/SHA256SUMS")])
        #expect(failure?.message == "'dist/a b.zip' is not in 'sums', the directory of its checksums")
    }

    /// A space with a combining mark is one `Character`, and Swift has more line breaks than `sha256sum`.
    @Test(arguments: ["\u{301}accent", "line\u{2028}separator", "back\\\u{301}slash"])
    func namesAreReadByTheirBytes(name: String) throws {
        let fixture = try GitFixture("sums")
        try fixture.write("one\n", to: "dist/\(name)")
        let settings: [String: Value] = ["into": .string("dist/SHA256SUMS")]
        try fixture.run(ChecksumAction(), settings)
        try fixture.shell("cd dist && sha256sum -c --strict SHA256SUMS")
        #expect(ChecksumVerification.problems(of: ["dist/SHA256SUMS"], below: fixture.path) == [])
    }

    /// A change of the files, and the error of the verification.
    @Test(arguments: [
        ("echo 1 >> dist/one.txt", "'dist/one.txt' was changed: expected the SHA-256 "),
        ("rm dist/one.txt", "'dist/one.txt' is missing, but 'dist/one.txt.sha256' lists it"),
        ("echo x > dist/one.txt.sha256", "'dist/one.txt.sha256' is no checksum file: expected lines in the format of "),
    ])
    func errorsAreReported(script: String, message: String) throws {
        let fixture = try fixture()
        try fixture.run(ChecksumAction())
        try fixture.shell(script)
        let problems = ChecksumVerification.problems(of: ["dist/a b.zip", "dist/one.txt"], below: fixture.path)
        #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix(message) }, "\(problems)")
    }

    @Test func sumsOfOthersAreRead() throws {
        let fixture = try fixture()
        try fixture.shell(
            """
            cd dist; echo x > 'back\\slash'
            sha256sum -b one.txt 'back\\slash' \\
                | awk '{ printf "%s%s\\r\\n", toupper($1), substr($0, length($1) + 1) }' > SHA256SUMS
            """)
        #expect(ChecksumVerification.problems(of: ["dist/SHA256SUMS"], below: fixture.path) == [])
    }

    @Test func aManifestReadsBack() throws {
        let manifest = ReleaseManifest(
            version: "1.0.0-rc.1", commit: "abc", changes: ["a b", "日本"],
            files: [.init(name: "x \"y\".zip", size: 7, sha256: String(repeating: "0", count: 64))])
        #expect(ReleaseManifest(reading: manifest.bytes) == manifest)
        for text in ["", "{}", "[1]", #"{"type":"urn:lane:manifest:1","commit":"a","changes":[],"files":[{}]}"#] {
            #expect(ReleaseManifest(reading: Array(text.utf8)) == nil)
        }
    }
}
