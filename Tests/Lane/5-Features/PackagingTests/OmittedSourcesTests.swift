import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing

@testable import Packaging
@testable import SwiftPackages

/// Tests of missing submodules and of links out of the package, which are found before the build.
@Suite(.startsPrograms) struct OmittedSourcesTests {
    /// A package with submodules that are not checked out, and the processes that packaging may start.
    private func clone(
        submodulesAt places: [String], keepingBuildsAs builds: String? = nil
    ) throws -> (GitFixture, StepContext, CountingProcesses, RecordedEvents) {
        let fixture = try PackageTests.shape(keepingBuildsAs: builds)
        try fixture.shell(
            """
            git init -q -b main ../inner && cd ../inner && echo '// inner' > inner.c && git add -A && git commit -qm a
            cd '\(fixture.path)' && for place in \(places.joined(separator: " ")); do
                git -c protocol.file.allow=always submodule --quiet add --name "$place" ../inner "$place" || exit
            done
            git commit -qm 'Add submodules' && git init -q ../clone && cd ../clone && git pull -q '\(fixture.path)'
            """)
        let (processes, events) = (CountingProcesses(), RecordedEvents())
        let context = StepContext.fixture(
            in: "\(fixture.temporary.path)/clone", environment: fixture.environment, processes: processes,
            events: events)
        return (fixture, context, processes, events)
    }

    private static let hint = "hint: git submodule update --init --recursive"

    @Test func submodulesThatNothingPackedNeedsAreLeftOut() throws {
        let places = ["Sources/shape-tool/inner", "Tests/Fixtures/inner", "Vendor/inner"]
        let (fixture, context, _, events) = try clone(submodulesAt: places, keepingBuildsAs: "submodules")
        defer { withExtendedLifetime(fixture) {} }
        _ = try PackageAction().run(
            Settings(["products": .list([.string("Shape")]), "verify": .bool(false)]), in: context)
        let names = "'Sources/shape-tool/inner', 'Tests/Fixtures/inner' and 'Vendor/inner'"
        #expect(events.messages == ["omitted submodules that are not checked out: \(names)\n\(Self.hint)"])
    }

    @Test(arguments: ["Sources/Shape/inner", "Sources/CNumbers/deep/inner"])
    func aSubmoduleThatATargetNeedsIsRefusedBeforeTheBuild(place: String) throws {
        let (fixture, context, processes, _) = try clone(submodulesAt: [place])
        defer { withExtendedLifetime(fixture) {} }
        let failure = #expect(throws: OperationFailure.self) { try PackageAction().run(Settings([:]), in: context) }
        #expect(failure?.status == 65)
        #expect(
            failure?.message
                == "the target '\(place.split(separator: "/")[1])' needs the submodule '\(place)', which is not checked out\n\(Self.hint)"
        )
        #expect(!processes.calls.contains { $0.starts(with: ["swift", "build"]) })
    }

    @Test func aTargetThatIsASubmoduleIsRefusedBeforeTheBuild() throws {
        let fixture = try GitFixture("whole")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Whole", products: [.library(name: "Whole", targets: ["Whole"])],
                targets: [.target(name: "Whole", dependencies: ["CInner"]), .target(name: "CInner", path: "Vendor/inner")])

            """, to: "Package.swift")
        try fixture.write("public let a = 1\n", to: "Sources/Whole/a.swift")
        try fixture.shell(
            """
            git init -q -b main ../inner && cd ../inner && echo '// inner' > inner.c && git add -A && git commit -qm a
            cd '\(fixture.path)' && git -c protocol.file.allow=always submodule --quiet add ../inner Vendor/inner
            git add -A && git commit -qm Begin && git submodule --quiet deinit -f Vendor/inner
            """)
        let failure = fixture.refusal(of: PackageAction(), ["version": .string("1.0.0")])
        #expect(
            failure?.message
                == "the package needs the submodules 'Vendor/inner', which are not checked out\nhint: git submodule update --init --recursive"
        )
    }

    @Test func linksThatLeadOutAreLeftOut() throws {
        let fixture = try PackageTests.shape(keepingBuildsAs: "links")
        let links = [
            "Sources/shape-tool/link": "/", "Tests/Fixtures/link": "../../../outside", "docs/link": "/etc/hostname",
        ]
        for (link, target) in links {
            try fixture.shell("mkdir -p $(dirname '\(link)'); ln -s '\(target)' '\(link)'")
        }
        try fixture.shell("ln -s README.md NOTICE.md")
        try fixture.commit("Link")
        let events = RecordedEvents()
        let archive = try #require(
            fixture.run(
                PackageAction(), ["products": .list([.string("Shape")]), "verify": .bool(false)], events: events
            ).outputs["archive"]?.text)
        let names = "'Sources/shape-tool/link', 'Tests/Fixtures/link' and 'docs/link'"
        #expect(events.messages == ["omitted links out of the package: \(names)"])
        let files = try fixture.shell("tar tzf \(archive)")
        #expect(links.keys.allSatisfy { !files.contains($0) } && files.contains("src/NOTICE.md"))
        // The link is a file in another directory of the archive.
        try fixture.shell("mkdir ../out && tar xzf \(archive) -C ../out --strip-components 1")
        #expect(try fixture.shell("cd ../out && cat NOTICE.md src/NOTICE.md") == "# Shape\n# Shape")
    }

    @Test func aLinkOfATargetThatLeadsOutIsRefusedBeforeTheBuild() throws {
        let fixture = try PackageTests.shape()
        try fixture.shell("ln -s ../../../outside Sources/Shape/more.swift")
        try fixture.commit("Link")
        let failure = fixture.refusal(of: PackageAction())
        #expect(
            failure?.message.hasPrefix(
                "the link 'Sources/Shape/more.swift' of the target 'Shape' leads out of the package, to '../../../outside'"
            )
                == true, "\(failure?.message ?? "")")
        #expect(try fixture.shell("ls .build/lane-package/source/Shape/.build 2>/dev/null || echo none") == "none")
    }

    @Test(arguments: [
        (["a/b": "../c"], []), (["a/b": "../../c"], ["a/b"]), (["a": "/c"], ["a"]), (["a": ""], ["a"]),
        (["a/b": "d/../../c", "a/d": "../x/y"], []), (["a/b": "d/../../../c", "a/d": "../x"], ["a/b"]),
        (["a": "b", "b": "a"], []),
    ])
    func linksAreFollowed(links: [String: String], outward: [String]) {
        #expect(OmittedSources.outward(links).keys.sorted() == outward)
    }
}
