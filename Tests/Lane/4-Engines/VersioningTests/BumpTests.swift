import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Versioning

@Suite(.startsPrograms) struct BumpTests {
    @Test func everyPlaceIsFoundAndNoOther() throws {
        let fixture = try GitFixture.package()
        let events = RecordedEvents()
        let result = try fixture.run(BumpAction(), ["version": .string("0.2.0")], events: events)
        #expect(
            try fixture.git("diff --stat=200 --name-only") == """
                A.xcodeproj/project.pbxproj
                App/Info.plist
                README.md
                Shape.podspec
                Sources/Shape/ShapeVersion.swift
                Sources/Shape/tool.swift
                """)
        #expect(
            try fixture.git("diff -U0 --no-color | grep '^[+][^+]'") == """
                +\t\t\tMARKETING_VERSION = 0.2.0;
                +\t\t\tMARKETING_VERSION = 0.2.0;
                +<string>0.2.0</string>
                +    .package(url: "https://github.com/example/shape.git", from: "0.2.0"),
                +Unpack `shape-0.2.0-linux-x86_64.tar.gz`. Since 0.1.0 it has corners.
                +  s.version = '0.2.0'
                +    public static let current = "0.2.0"
                +let tool = CommandConfiguration(commandName: "tool", version: "0.2.0")
                """)
        #expect(result.outputs["version"] == .string("0.2.0"))
        #expect(result.outputs["previous"] == .string("0.1.0"))
        #expect(
            events.messages == [
                "A.xcodeproj/project.pbxproj:1,2: 0.1.0 → 0.2.0", "App/Info.plist:3: 0.1.0 → 0.2.0",
                "README.md:3,6: 0.1.0 → 0.2.0",
                "Shape.podspec:2: 0.1.0 → 0.2.0", "Sources/Shape/ShapeVersion.swift:3: 0.1.0 → 0.2.0",
                "Sources/Shape/tool.swift:1: 0.1.0 → 0.2.0",
                "0.1.0 is still named in App/Info.plist:5, README.md:4,6\nhint: add files to change to 'files' of 'bump'",
            ])
        let again = try fixture.run(BumpAction(), ["version": .string("0.2.0")])
        #expect(again.skipReason == "every file already names 0.2.0")
    }

    @Test func allProblemsAreReportedAtOnce() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("git tag 0.2.0; sed -i s/0.1.0/0.1.1/ Shape.podspec")
        let failure = fixture.refusal(of: BumpAction(), ["version": .string("0.2.0")])
        #expect(failure?.message.hasPrefix("2 problems\n- the files contain") == true, "\(failure?.message ?? "")")
    }

    /// The commits don't mention the breaks that the action `api` has proven.
    @Test(arguments: [("0.1.0", "0.2.0"), ("1.4.0", "2.0.0")])
    func breaksOfThePublicAPIDetermineTheVersion(tag: String, breaking: String) throws {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"shape\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag \(tag)")
        try fixture.commit("chore: words")
        #expect(fixture.refusal(of: BumpAction())?.message.hasPrefix("nothing to release") == true)
        let releases = PlannedReleases()
        releases.setBreaks(1, report: "")
        #expect(throws: OperationFailure.self) {
            try fixture.run(BumpAction(), ["version": .string("patch")], releases: releases)
        }
        for version in ["auto", "\(breaking)-rc.1", breaking] {
            let result = try fixture.run(BumpAction(), ["version": .string(version)], releases: releases)
            #expect(result.outputs["version"] == .string(version == "auto" ? breaking : version))
        }
    }

    @Test func aPodspecMayBeJSON() throws {
        let fixture = try GitFixture.package()
        try fixture.write(
            """
            { "name": "Shape", "version" : "0.1.0", "swift_version": "5.0.0",
              "source": { "git": "https://example.com/shape.git", "tag": "v0.1.0" },
              "dependencies": { "Other": "0.1.0" } }

            """, to: "Shape.podspec.json")
        try fixture.commit("podspec")
        let before = try fixture.read("Shape.podspec.json")
        try fixture.run(BumpAction(), ["version": .string("0.2.0")])
        let after = before.replacing("\"version\" : \"0.1.0", with: "\"version\" : \"0.2.0")
            .replacing("v0.1.0", with: "v0.2.0")
        #expect(try fixture.read("Shape.podspec.json") == after)
    }

    @Test func namedFilesMustHoldTheVersion() throws {
        let fixture = try GitFixture.package()
        try fixture.write("VERSION=0.1.0\nold 10.1.0 and 0.1.0-rc.1, but v0.1.0.\n", to: "settings.sh")
        try fixture.write("nothing\n", to: "empty.txt")
        try fixture.write("<version> 0.1.0 </version> 0.1.0\n", to: "some.xml")
        try fixture.write("0.1.0\n", to: "VERSION")
        let files: [Value] = [
            .string("Sources/Shape/ShapeVersion.swift"), .string("settings.sh"),
            .map([("path", .string("some.xml")), ("pattern", .string("<version> {version} <"))]),
            .map([("path", .string("VERSION")), ("pattern", .string("{version}"))]),
        ]
        let failure = fixture.refusal(
            of: BumpAction(),
            ["version": .string("0.2.0"), "files": .list(files + [.string("empty.txt"), .string("missing.txt")])])
        #expect(
            failure?.message == """
                2 problems
                - missing.txt: the file does not exist
                - empty.txt: expected the version 0.1.0, found none
                """)
        try fixture.shell("ln -s settings.sh link.sh")
        #expect(
            fixture.refusal(
                of: BumpAction(), ["version": .string("0.2.0"), "files": .list(files + [.string("link.sh")])]
            )?.message == "link.sh: is a link\nhint: use its target 'settings.sh'")
        try fixture.run(BumpAction(), ["version": .string("0.2.0"), "files": .list(files)])
        #expect(try fixture.read("settings.sh") == "VERSION=0.2.0\nold 10.1.0 and 0.1.0-rc.1, but v0.2.0.\n")
        #expect(try fixture.read("some.xml") == "<version> 0.2.0 </version> 0.1.0\n")
        #expect(try fixture.read("VERSION") == "0.2.0\n")
        #expect(
            try fixture.read("Shape.podspec") == """
                Pod::Spec.new do |s|
                  s.version = '0.1.0'
                end

                """)
    }

    /// The checkout is named `shape` and the package `my-shape`. A file may be listed twice.
    @Test func aPlaceThatIsFoundTwiceIsWrittenOnce() throws {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"my-shape\")\n", to: "Package.swift")
        try fixture.write("let version = \"0.9.0\"\n", to: "Sources/shape/Version.swift")
        try fixture.write("Unpack my-shape-0.9.0-linux-x86_64.tar.gz.\n", to: "README.md")
        try fixture.commit("Begin")
        try fixture.run(BumpAction(), ["version": .string("0.10.0")])
        #expect(try fixture.read("README.md") == "Unpack my-shape-0.10.0-linux-x86_64.tar.gz.\n")
        let files: [Value] = [
            .string("README.md"), .string("README.md"),
            .map([("path", .string("README.md")), ("pattern", .string("-{version}-linux"))]),
        ]
        try fixture.run(BumpAction(), ["version": .string("0.11.11"), "files": .list(files)])
        #expect(try fixture.read("README.md") == "Unpack my-shape-0.11.11-linux-x86_64.tar.gz.\n")
    }

    @Test(arguments: [
        ("feat: corners", "0.2.0"), ("fix: corners", "0.1.1"), ("Corners: are round", "0.1.1"),
        ("refactor!: corners", "0.2.0"), ("fix: x\n\nBREAKING CHANGE: y", "0.2.0"),
    ])
    func commitsDetermineTheNextVersion(message: String, version: String) throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.commit(message)
        try fixture.commit("docs: words")
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string(version))
    }

    @Test func withoutChangesThereIsNothingToRelease() throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.commit("ci: faster")
        #expect(fixture.refusal(of: BumpAction())?.message == "nothing to release: no change for users since 0.1.0")
    }

    @Test func olderBranchesCountFromTheirOwnLastRelease() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"plain\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.shell("git tag 1.2.3; git switch -qc 1.2.x; git switch -q main")
        try fixture.commit("feat!: all new")
        try fixture.shell("git tag 2.0.0; git switch -q 1.2.x")
        try fixture.commit("fix: old")
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string("1.2.4"))
        let forecast = BumpAction().forecast(of: Settings([:]), in: fixture.context(), after: [:])
        #expect(
            forecast.summary
                == "write 1.2.4 (computed from the commits after 1.2.3; HEAD does not come from '2.0.0'): no file names the version, only the tag will"
        )
        try fixture.git("switch -q main")
        #expect(fixture.refusal(of: BumpAction())?.message == "nothing to release: no change for users since 2.0.0")
    }

    /// All remaining mentions are reported, and no text that only looks like one.
    @Test func remainingMentionsAreReported() throws {
        let fixture = try GitFixture.package()
        try fixture.write("module(\n    name = \"x\",\n    version = \"0.1.0\",\n)\n", to: "MODULE.bazel")
        try fixture.write("CURRENT_PROJECT_VERSION = 0.1.0;\n", to: "X.xcodeproj/project.pbxproj")
        try fixture.git("config color.ui always; git config grep.column true; git config grep.fullName true")
        try fixture.write("version 10.1.0, version 0.1.01, version 0.1.0.2, 0x1y0, version 0.1.0-rc\n", to: "notes.txt")
        try fixture.write("version 0.1.0\n", to: "docs/CHANGES.md")
        try fixture.write("lane: { version: 0.1.0 }\n", to: "Lanes/ci/jobs.yml")
        try fixture.write("key: lane-0.1.0\n", to: ".github/workflows/ci.yml")
        try fixture.git("add .")
        try fixture.commit("feat: more")
        try fixture.git("tag 0.1.0 HEAD~1")
        let events = RecordedEvents()
        try fixture.run(BumpAction(), events: events)
        let notes = events.messages.filter { $0.contains("is still named in") }
        #expect(
            notes.count == 1
                && notes[0].hasPrefix(
                    "0.1.0 is still named in App/Info.plist:5, MODULE.bazel:3, README.md:4,6, X.xcodeproj/project.pbxproj:1\n"
                ),
            "\(events.messages)")
    }

    @Test func mentionsAreReportedWithoutVersionFiles() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"plain\")\n", to: "Package.swift")
        try fixture.write("version = \"1.2.3\"\n", to: "MODULE.bazel")
        try fixture.commit("Begin")
        try fixture.git("tag 1.2.3")
        let events = RecordedEvents()
        try fixture.run(BumpAction(), ["version": .string("patch")], events: events)
        #expect(
            events.messages.contains { $0.hasPrefix("1.2.3 is still named in MODULE.bazel:1\n") }, "\(events.messages)")
    }

    @Test func aConstantOutsideOfAVersionFileSaysTheVersion() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"Plain\")\n", to: "Package.swift")
        try fixture.write(
            "public enum Plain {\n    public static let plainVersion: String = \"0.3.0\"\n}\n",
            to: "Sources/Plain/Plain.swift")
        try fixture.write("let protocolVersion = \"3.1.0\"\n", to: "Sources/Plain/Wire.swift")
        try fixture.commit("Begin")
        let result = try fixture.run(BumpAction(), ["version": .string("minor")])
        #expect(result.outputs["files"] == .list([.string("Sources/Plain/Plain.swift")]))
        #expect(
            try fixture.read("Sources/Plain/Plain.swift") == """
                public enum Plain {
                    public static let plainVersion: String = "0.4.0"
                }

                """)
        #expect(
            try fixture.read("Sources/Plain/Wire.swift") == """
                let protocolVersion = "3.1.0"

                """)

        // Two different versions do not determine one.
        try fixture.write("let VERSION = \"9.0.0\"\n", to: "Sources/Plain/Other.swift")
        try fixture.git("add -A")
        let failure = fixture.refusal(of: BumpAction(), ["version": .string("minor")])
        #expect(failure?.message.hasPrefix("there is no earlier version") == true)
    }

    /// A quote and a combining mark are one `Character`, but compilers see a quote.
    @Test func aCombiningMarkHidesNoQuote() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"Plain\")\n", to: "Package.swift")
        try fixture.write("let version = \"0.3.0\"\u{301}\n", to: "Sources/Plain/Plain.swift")
        try fixture.commit("Begin")
        #expect(try fixture.run(BumpAction(), ["version": .string("minor")]).outputs["version"] == .string("0.4.0"))
    }

    /// Each repaired byte would be three bytes, which would shift the location of the version.
    @Test func bytesThatAreNotUTF8MoveNoVersion() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"Plain\")\n", to: "Package.swift")
        try fixture.shell(#"mkdir Sources; printf '/* na\357ve */ let version = "0.3.0"\n' > Sources/Plain.swift"#)
        try fixture.commit("Begin")
        try fixture.run(BumpAction(), ["version": .string("minor")])
        #expect(try fixture.shell(#"tr '\357' i < Sources/Plain.swift"#) == #"/* naive */ let version = "0.4.0""#)
    }

    @Test func listedFilesWithoutAVersionAreErrors() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("nothing\n", to: "empty.txt")
        try fixture.commit("Begin")
        let failure = fixture.refusal(
            of: BumpAction(), ["version": .string("0.1.0"), "files": .list([.string("empty.txt")])])
        #expect(failure?.message == "empty.txt: expected a version such as 1.2.3, found none")
    }

    @Test func packagesThatOnlyHaveTags() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"plain\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag v1.2.3")
        let result = try fixture.run(BumpAction(), ["version": .string("minor")])
        #expect(result.skipReason == "no file names the version, only the tag will")
        #expect(result.outputs["tag"] == .string("v1.3.0"))
    }
}
