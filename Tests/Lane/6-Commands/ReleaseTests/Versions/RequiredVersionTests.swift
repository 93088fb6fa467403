import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Release
import TestSupport
import Testing
import Versioning

/// Tests of versions that `require` checks before `bump` writes them. The last tag of most packages is 1.0.0.
@Suite(.startsPrograms) struct RequiredVersionTests {
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
        let fixture = try GitFixture.released(deviation.script)
        let settings: [String: Value] = ["version": .string("auto")]
        for action in [RequireAction(), BumpAction()] as [any StepAction] {
            let forecast = action.forecast(of: Settings(settings), in: fixture.context(), after: [:])
            #expect(
                forecast.notes.count { $0.hasPrefix(deviation.note) && !$0.contains("\n") } == 1, "\(forecast.notes)")
        }
        let transaction = try fixture.begin()
        defer { transaction.abandon() }
        let events = RecordedEvents()
        // One of both reports it.
        try fixture.run(RequireAction(), settings, transaction: transaction, events: events)
        let result = try fixture.run(BumpAction(), settings, transaction: transaction, events: events)
        #expect(result.outputs["version"] == .string("1.1.0"))
        #expect(events.messages.count { $0.hasPrefix(deviation.note) } == 1, "\(events.messages)")
        let alone = RecordedEvents()
        try fixture.run(BumpAction(), settings, events: alone)
        #expect(alone.messages.count { $0.hasPrefix(deviation.note) } == 1, "\(alone.messages)")
    }

    /// Requirements of older versions, and other things with a version, are normal.
    @Test func otherVersionsAreNotNamed() throws {
        let fixture = try GitFixture.released(
            """
            echo '.package(url: "https://a.b/shape.git", from: "0.5.0"), pod "Shape", "~> 0.4"' > README.md
            echo 'let protocolVersion = "3.1.0"; let minimum = "0.1.0"' > Sources/Shape/Shape.swift
            echo 'MARKETING_VERSION = 2.0' > App.xcconfig; echo 'ARG VERSION=7.0.0' > Dockerfile
            echo '{ "name": "other", "version": "0.9.0" }' > package.json; ln -s nowhere CHANGES.md
            """)
        let events = RecordedEvents()
        try fixture.run(RequireAction(), ["version": .string("auto")], events: events)
        try fixture.run(BumpAction(), events: events)
        #expect(events.messages.isEmpty, "\(events.messages)")
    }

    /// All files are named at once, and those that certainly name the package's version are written.
    @Test func allDeviationsAreNamedAtOnce() throws {
        let fixture = try GitFixture.released(
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

    /// The App Store rejects prereleases, and no requirement with `~>` matches them.
    @Test func prereleasesAreNotWrittenEverywhere() throws {
        let fixture = try GitFixture.released(
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

    /// A list of many lines is a file, which git ignores.
    @Test func manyOldMentionsAreAFile() throws {
        let fixture = try GitFixture.released(
            "for i in 1 2 3 4 5 6 7 8 9; do echo 'since 1.0.0' >> docs/a.txt; done; echo 1.0.0 > b.txt")
        let transaction = try fixture.begin()
        defer { transaction.abandon() }
        let events = RecordedEvents()
        try fixture.run(BumpAction(), transaction: transaction, events: events)
        #expect(
            events.messages == [
                "1.0.0 is still named in 10 lines of 2 files, listed in .lane/old-version.txt\n"
                    + "hint: add files to change to 'files' of 'bump'"
            ])
        #expect(try fixture.read(".lane/old-version.txt").hasPrefix("b.txt:1\ndocs/a.txt:1\ndocs/a.txt:2\n"))
        #expect(try fixture.git("status --porcelain") == "")
    }

    /// The checks run before any change, and again when later steps look up the version.
    @Test func namedFilesAloneCount() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("git tag 0.1.0; sed -i s/0.1.0/7.0.0/ Shape.podspec; git commit -qam 'feat: corners'")
        let version = Value.string("minor")
        #expect(
            fixture.refusal(of: RequireAction(), ["version": version])?.message.hasSuffix(
                "\nhint: list the right files in 'files' of 'bump'") == true)
        let files = Value.list([.string("Sources/Shape/ShapeVersion.swift")])
        try fixture.run(RequireAction(), ["version": version, "files": files])
        try fixture.run(BumpAction(), ["version": version, "files": files])
        try fixture.run(CommitAction(), parameters: ["version": version])
        #expect(try fixture.git("log -1 --format=%s").hasPrefix("Release 0.2.0"))
    }

    @Test func oneThatCannotBeReadIsNotTakenForNone() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("rm -f CHANGELOG.md; mkdir CHANGELOG.md")
        for action in [ChangelogAction(), TagAction()] as [any StepAction] {
            #expect(fixture.refusal(of: action)?.message.hasPrefix("could not read '") == true)
        }
        #expect(try fixture.git("tag").isEmpty)
    }

    /// The first of several packages has a tag without its name.
    @Test func foreignTagsHaveAHint() throws {
        let fixture = try GitFixture("shapes")
        for name in ["a", "b"] {
            try fixture.write("let package = Package(name: \"Shape\(name)\")\n", to: "\(name)/Package.swift")
        }
        try fixture.commit("Begin")
        try fixture.git("tag 1.0.0")
        func refusal(in directory: String, _ more: [String: String] = [:]) -> String? {
            let context = StepContext.fixture(
                in: "\(fixture.path)\(directory)", environment: fixture.environment.merging(more) { $1 })
            do throws(OperationFailure) {
                _ = try RequireAction().run(Settings(["version": .string("1.0.0")]), in: context)
                return nil
            } catch {
                return error.message
            }
        }
        let refused = "1.0.0 is not greater than the last release, 1.0.0"
        #expect(refusal(in: "") == refused)
        #expect(
            refusal(in: "/b")
                == refused
                + "\nhint: if '1.0.0' belongs to another package, set LANE_TAG_PREFIX=b- for the tags of this one")
        #expect(refusal(in: "/b", ["LANE_TAG_PREFIX": "b-"]) == nil)
    }
}
