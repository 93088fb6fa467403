import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Versioning

/// Tests of files whose version is written in their own way. The last tag of the package is 1.0.0.
@Suite(.startsPrograms) struct VersionDeviationTests {
    /// The content of a file before and after a bump to 1.1.0, as arguments of `printf`.
    @Test(arguments: [
        ("VERSION", #"\357\273\2771.0.0\r\n"#, #"\357\273\2771.1.0\r\n"#), ("version.txt", "1.0.0", "1.1.0"),
        ("Version.txt", "v1.0.0\\n", "v1.1.0\\n"),
        ("Chart.yaml", #"\357\273\277name: shape\nversion: 1.0.0"#, #"\357\273\277name: shape\nversion: 1.1.0"#),
        ("Dockerfile", #"\357\273\277ARG VERSION=1.0.0"#, #"\357\273\277ARG VERSION=1.1.0"#),
        ("Shape.podspec.json", #"\357\273\277{"version": "1.0.0"}"#, #"\357\273\277{"version": "1.1.0"}"#),
        ("README.md", "pod \"Shape/Core\", \"~> 1.0\"", "pod \"Shape/Core\", \"~> 1.1\""),
        ("Podfile", "pod \"Shape/Core\", \"~> 1.0.0\"", "pod \"Shape/Core\", \"~> 1.1.0\""),
        ("Shape.podspec", "ss.dependency \"Shape/Core\", \"~> 1.0\"", "ss.dependency \"Shape/Core\", \"~> 1.1\""),
        ("App.xcconfig", "MARKETING_VERSION = 1.0", "MARKETING_VERSION = 1.1.0"),
    ])
    func theVersionIsWritten(file: String, before: String, after: String) throws {
        let fixture = try GitFixture.released("printf '\(before)' > \(file); chmod +x \(file)")
        let events = RecordedEvents()
        try fixture.run(BumpAction(), events: events)
        #expect(try fixture.shell("printf '\(after)' | cmp - \(file); test -x \(file)") == "")
        #expect(events.messages.count == 1 && events.messages[0].hasPrefix("\(file):"), "\(events.messages)")
    }

    /// The target of a link is written, and the link stays.
    @Test(arguments: ["docs/version", "$PWD/docs/version", "App/../docs/version"])
    func theTargetOfALinkIsWritten(target: String) throws {
        let fixture = try GitFixture.released(
            "echo 1.0.0 > docs/version; ln -s \(target) VERSION; ln -s docs/README.md README.md\n"
                + "echo 'pod \"Shape\", \"1.0.0\"' > docs/README.md")
        let events = RecordedEvents()
        try fixture.run(BumpAction(), events: events)
        #expect(try fixture.read("docs/version") == "1.1.0\n")
        #expect(try fixture.read("docs/README.md") == "pod \"Shape\", \"1.1.0\"\n")
        #expect(try fixture.shell("readlink VERSION README.md | wc -l") == "2")
        #expect(events.messages == ["docs/README.md:1: 1.0.0 → 1.1.0", "docs/version:1: 1.0.0 → 1.1.0"])
    }

    /// No other file than that of an app names the version.
    @Test func anAppHasPrereleases() throws {
        let fixture = try GitFixture.released("echo 'MARKETING_VERSION = 1.0.0' > App.xcconfig")
        for (version, expected) in [("preminor", "1.1.0-rc.1"), ("prerelease", "1.1.0-rc.2"), ("auto", "1.1.0")] {
            let result = try fixture.run(BumpAction(), ["version": .string(version)])
            #expect(result.outputs["version"] == .string(expected))
            #expect(try fixture.read("App.xcconfig") == "MARKETING_VERSION = 1.1.0\n")
            try fixture.commit("fix: more")
            try fixture.git("tag \(expected)")
        }
    }

    private static let sum = String(repeating: "0123456789abcdef", count: 4)

    /// A file, and the lines of its stale checksums.
    @Test(arguments: [
        ("README.md", "/releases/download/1.0.0/a.zip SHA256 SUM", ""),
        ("README.md", "https://a.b/shape/releases/download/1.0.0/a.zip\\n\\nSHA-256: `SUM`", "3"),
        (
            "README.md",
            ".binaryTarget(url: \"https://a.b/shape/releases/download/1.0.0/a.zip\",\\n  checksum: \"SUM\")", "2"
        ),
        ("Dockerfile", "ARG VERSION=1.0.0\\nARG SHA256=SUM\\nFROM swift@sha256:SUM", "2"),
        ("Dockerfile", "FROM a.b/shape:1.0.0@sha256:SUM", "1"),
        (
            "Shape.podspec", "s.version = \"1.0.0\"\\ns.source = { http: \"x\",\\n  sha256: \"SUM\" }\\nx = \"SUMSUM\"",
            "3,4"
        ),
        ("Chart.yaml", "name: shape\\nversion: 1.0.0\\n# 0123456789abcdef", ""),
    ])
    func aStaleChecksumIsNamed(file: String, text: String, lines: String) throws {
        let fixture = try GitFixture.released("printf '\(text.replacing("SUM", with: Self.sum))\\n' > \(file)")
        let note = "\(file):\(lines): the checksum beside the version is that of another one"
        let forecast = BumpAction().forecast(of: Settings([:]), in: fixture.context(), after: [:])
        #expect(forecast.notes.contains { $0.hasPrefix(note) } == !lines.isEmpty, "\(forecast.notes)")
        let events = RecordedEvents()
        try fixture.run(BumpAction(), events: events)
        #expect(events.messages.contains { $0.hasPrefix(note) } == !lines.isEmpty, "\(events.messages)")
        #expect(events.messages.count { $0.contains("checksum") } == (lines.isEmpty ? 0 : 1), "\(events.messages)")
    }

    @Test func thePlanSaysThatThereIsNothingToRelease() throws {
        let fixture = try GitFixture.released("echo 1.0.0 > VERSION")
        try fixture.git("tag 1.0.1")
        let forecast = BumpAction().forecast(of: Settings([:]), in: fixture.context(), after: [:])
        #expect(forecast.summary == "write no version")
        #expect(forecast.obstacles == ["nothing to release: no change for users since 1.0.1"])
    }
}
