import Actions
import Expressions
import LaneModel
import OperatingSystem
import Release
import ReleaseFixtures
import TestSupport
import Testing
import Versioning

/// Tests of files that name another version than the last tag, that cannot be changed, or that must not name every
/// version. The last tag of the package is 1.0.0.
@Suite(.startsPrograms) struct VersionDeviationTests {
    /// A package that was built before, with a commit since its last tag.
    private func package(_ script: String, tag: String = "1.0.0") throws -> GitFixture {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "Package.swift")
        try fixture.writeBuildProducts()
        try fixture.shell("mkdir -p Sources/Shape App Shape.xcodeproj docs\n\(script)")
        try fixture.commit("Begin")
        try fixture.git("tag \(tag)")
        try fixture.commit("feat: corners")
        return fixture
    }

    struct Deviation: Sendable {
        let script: String
        /// The start of the note.
        let note: String
    }

    static let deviations = [
        Deviation(
            script: "echo 'public let shapeVersion = \"0.9.0\"' > Sources/Shape/Shape.swift",
            note: "Sources/Shape/Shape.swift: expected 1.0.0, the last version, found 0.9.0 in line 1"),
        Deviation(
            script: "echo 'public let shapeVersion = \"2.0.0\"' > Sources/Shape/Shape.swift",
            note: "Sources/Shape/Shape.swift: expected 1.0.0, the last version, found 2.0.0 in line 1"),
        Deviation(
            script: "echo 'let a = CommandConfiguration(version: \"0.9.0\")' > Sources/Shape/tool.swift",
            note: "Sources/Shape/tool.swift: expected 1.0.0, the last version, found 0.9.0 in line 1"),
        Deviation(
            script: #"printf "s.version = '1.0.0'\ns.source = { git: 'x', tag: '0.8.0' }\n" > Shape.podspec"#,
            note: "Shape.podspec: expected 1.0.0, the last version, found 0.8.0 in line 2"),
        Deviation(
            script: "echo '{ \"name\": \"shape\", \"version\": \"0.9.0\" }' > package.json",
            note: "package.json: expected 1.0.0, the last version, found 0.9.0 in line 1"),
        Deviation(
            script: "printf 'name: shape\\nversion: 0.9.0\\n' > Chart.yaml",
            note: "Chart.yaml: expected 1.0.0, the last version, found 0.9.0 in line 2"),
        Deviation(
            script: "printf 'MARKETING_VERSION: 0.9.0\\nx: 1\\nMARKETING_VERSION: 0.8.0\\n' > project.yml",
            note: "project.yml: expected 1.0.0, the last version, found 0.9.0 in line 1, 0.8.0 in line 3"),
        Deviation(
            script: #"printf '\377\3761\000.\0000\000.\0000\000' > VERSION"#,
            note: "VERSION: is UTF-16, so its version stays unchanged"),
        Deviation(
            script: "echo 'version 1.0.0 or so' > version.txt",
            note: "version.txt: expected only a version such as 1.2.3, found another text"),
        Deviation(
            script: "echo 1.0.0 > ../VERSION; ln -s ../VERSION VERSION",
            note: "VERSION: is a link to '"),
        Deviation(
            script: "echo 1.0.0 > dist/VERSION; ln -s dist/VERSION VERSION",
            note: "VERSION: is a link to 'dist/VERSION', which is no file of the package in git"),
    ]

    @Test(arguments: deviations) func aFileThatStaysUnchangedIsNamed(deviation: Deviation) throws {
        let fixture = try package(deviation.script)
        let settings: [String: Value] = ["version": .string("auto")]
        for action in [RequireAction(), BumpAction()] as [any StepAction] {
            let forecast = action.forecast(of: Settings(settings), in: fixture.context(), after: [:])
            #expect(
                forecast.notes.count { $0.hasPrefix(deviation.note) && !$0.contains("\n") } == 1, "\(forecast.notes)")
        }
        let transaction = try fixture.begin()
        defer { transaction.abandon() }
        let told = Told()
        // One of both reports it.
        try fixture.run(RequireAction(), settings, transaction: transaction, told: told)
        let result = try fixture.run(BumpAction(), settings, transaction: transaction, told: told)
        #expect(result.outputs["version"] == .string("1.1.0"))
        #expect(told.messages.count { $0.hasPrefix(deviation.note) } == 1, "\(told.messages)")
        let alone = Told()
        try fixture.run(BumpAction(), settings, told: alone)
        #expect(alone.messages.count { $0.hasPrefix(deviation.note) } == 1, "\(alone.messages)")
    }

    /// Requirements of older versions, and other things with a version, are normal.
    @Test func otherVersionsAreNotNamed() throws {
        let fixture = try package(
            """
            echo '.package(url: "https://a.b/shape.git", from: "0.5.0"), pod "Shape", "~> 0.4"' > README.md
            echo 'let protocolVersion = "3.1.0"; let minimum = "0.1.0"' > Sources/Shape/Shape.swift
            echo 'MARKETING_VERSION = 2.0' > App.xcconfig; echo 'ARG VERSION=7.0.0' > Dockerfile
            echo '{ "name": "other", "version": "0.9.0" }' > package.json; ln -s nowhere CHANGES.md
            """)
        let told = Told()
        try fixture.run(RequireAction(), ["version": .string("auto")], told: told)
        try fixture.run(BumpAction(), told: told)
        #expect(told.messages.isEmpty, "\(told.messages)")
    }

    /// All files are named at once, and those that certainly name the package's version are written.
    @Test func allDeviationsAreNamedAtOnce() throws {
        let fixture = try package(
            """
            echo "s.version = '0.8.0'" > Shape.podspec; echo 'let version = "0.9.0"' > Sources/Shape/a.swift
            echo 'let shapeVersion = "0.7.0"' > Sources/Shape/b.swift; echo 'pod "Shape", "1.0.0"' > README.md
            """)
        let forecast = RequireAction().forecast(
            of: Settings(["version": .string("auto")]), in: fixture.context(), after: [:])
        #expect(forecast.notes.map { $0.prefix { $0 != ":" } } == ["Sources/Shape/a.swift", "Sources/Shape/b.swift"])
        try fixture.run(BumpAction())
        #expect(try fixture.read("Shape.podspec") == "s.version = '1.1.0'\n")
        #expect(try fixture.read("README.md") == "pod \"Shape\", \"1.1.0\"\n")
    }

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
        let fixture = try package("printf '\(before)' > \(file); chmod +x \(file)")
        let told = Told()
        try fixture.run(BumpAction(), told: told)
        #expect(try fixture.shell("printf '\(after)' | cmp - \(file); test -x \(file)") == "")
        #expect(told.messages.count == 1 && told.messages[0].hasPrefix("\(file):"), "\(told.messages)")
    }

    /// The target of a link is written, and the link stays.
    @Test(arguments: ["docs/version", "$PWD/docs/version", "App/../docs/version"])
    func theTargetOfALinkIsWritten(target: String) throws {
        let fixture = try package(
            "echo 1.0.0 > docs/version; ln -s \(target) VERSION; ln -s docs/README.md README.md\n"
                + "echo 'pod \"Shape\", \"1.0.0\"' > docs/README.md")
        let told = Told()
        try fixture.run(BumpAction(), told: told)
        #expect(try fixture.read("docs/version") == "1.1.0\n")
        #expect(try fixture.read("docs/README.md") == "pod \"Shape\", \"1.1.0\"\n")
        #expect(try fixture.shell("readlink VERSION README.md | wc -l") == "2")
        #expect(told.messages == ["docs/README.md:1: 1.0.0 → 1.1.0", "docs/version:1: 1.0.0 → 1.1.0"])
    }

    /// The App Store rejects prereleases, and no requirement with `~>` matches them.
    @Test func prereleasesAreNotWrittenEverywhere() throws {
        let fixture = try package(
            """
            printf '<key>CFBundleShortVersionString</key>\\n<string>1.0.0</string>\\n' > App/Info.plist
            echo 'MARKETING_VERSION = 1.0.0;' > Shape.xcodeproj/project.pbxproj
            printf 'MARKETING_VERSION: 1.0.0\\nCFBundleShortVersionString: "1.0.0"\\n' > project.yml
            echo 'MARKETING_VERSION = 1.0.0' > App.xcconfig; echo "s.version = '1.0.0'" > Shape.podspec
            printf 'pod "Shape", "~> 1.0"\\npod "Shape", "~> 1.0.0"\\ngithub "a/shape" ~> 1.0.0\\npod "Shape", "1.0.0"\\n' > README.md
            """)
        func versions() throws -> String {
            try fixture.shell(
                "cat App/Info.plist Shape.xcodeproj/project.pbxproj project.yml App.xcconfig Shape.podspec README.md | grep -o '[0-9][0-9a-z.-]*' | tr '\\n' ' '"
            )
        }
        func release(_ version: String) throws {
            try fixture.run(RequireAction(), ["version": .string(version)])
            try fixture.run(BumpAction(), ["version": .string(version)])
            try fixture.run(CommitAction())
            try fixture.run(TagAction())
            try fixture.commit("fix: more")
        }
        try release("preminor")
        #expect(try versions() == "1.1.0 1.1.0 1.1.0 1.1.0 1.1.0 1.1.0-rc.1 1.0 1.0.0 1.0.0 1.1.0-rc.1 ")
        try release("prerelease")
        #expect(try versions() == "1.1.0 1.1.0 1.1.0 1.1.0 1.1.0 1.1.0-rc.2 1.0 1.0.0 1.0.0 1.1.0-rc.2 ")
        try release("release")
        #expect(try versions() == "1.1.0 1.1.0 1.1.0 1.1.0 1.1.0 1.1.0 1.1 1.1.0 1.1.0 1.1.0 ")
        #expect(try fixture.git("tag").split(separator: "\n") == ["1.0.0", "1.1.0", "1.1.0-rc.1", "1.1.0-rc.2"])
    }

    /// No other file than that of an app names the version.
    @Test func anAppHasPrereleases() throws {
        let fixture = try package("echo 'MARKETING_VERSION = 1.0.0' > App.xcconfig")
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
        let fixture = try package("printf '\(text.replacing("SUM", with: Self.sum))\\n' > \(file)")
        let note = "\(file):\(lines): the checksum beside the version is that of another one"
        let forecast = BumpAction().forecast(of: Settings([:]), in: fixture.context(), after: [:])
        #expect(forecast.notes.contains { $0.hasPrefix(note) } == !lines.isEmpty, "\(forecast.notes)")
        let told = Told()
        try fixture.run(BumpAction(), told: told)
        #expect(told.messages.contains { $0.hasPrefix(note) } == !lines.isEmpty, "\(told.messages)")
        #expect(told.messages.count { $0.contains("checksum") } == (lines.isEmpty ? 0 : 1), "\(told.messages)")
    }

    /// A list of many lines is a file, which git ignores.
    @Test func manyOldMentionsAreAFile() throws {
        let fixture = try package(
            "for i in 1 2 3 4 5 6 7 8 9; do echo 'since 1.0.0' >> docs/a.txt; done; echo 1.0.0 > b.txt")
        let transaction = try fixture.begin()
        defer { transaction.abandon() }
        let told = Told()
        try fixture.run(BumpAction(), transaction: transaction, told: told)
        #expect(
            told.messages == [
                "1.0.0 is still named in 10 lines of 2 files, listed in .lane/old-version.txt\n"
                    + "hint: add files to change to 'files' of 'bump'"
            ])
        #expect(try fixture.read(".lane/old-version.txt").hasPrefix("b.txt:1\ndocs/a.txt:1\ndocs/a.txt:2\n"))
        #expect(try fixture.git("status --porcelain") == "")
    }

    @Test func thePlanSaysThatThereIsNothingToRelease() throws {
        let fixture = try package("echo 1.0.0 > VERSION")
        try fixture.git("tag 1.0.1")
        let forecast = BumpAction().forecast(of: Settings([:]), in: fixture.context(), after: [:])
        #expect(forecast.summary == "write no version")
        #expect(forecast.obstacles == ["nothing to release: no change for users since 1.0.1"])
    }
}
