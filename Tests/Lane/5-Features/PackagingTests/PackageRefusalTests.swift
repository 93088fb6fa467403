import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import SwiftPackages
import TestSupport
import Testing

@Suite(.startsPrograms) struct PackageRefusalTests {
    @Test func aPackageWithoutAVersionIsPackedToo() throws {
        let fixture = try GitFixture("young", keepingBuildsAs: "young")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Young", products: [.library(name: "Young", targets: ["Young"])], targets: [.target(name: "Young")])

            """, to: "Package.swift")
        try fixture.write("public let isYoung = true\n", to: "Sources/Young/Young.swift")
        try fixture.write(".build/\n", to: ".gitignore")
        try fixture.commit("Begin")
        let events = RecordedEvents()
        let result = try fixture.run(PackageAction(), ["verify": .bool(false)], events: events)
        #expect(result.outputs["version"] == .string("0.0.0-dev"))
        #expect(
            events.messages == [
                "no version was found in files, tags or the changelog; the package has the version 0.0.0-dev"
            ])
    }

    @Test func otherCommitsThanReleasesAreReported() throws {
        let fixture = try PackageTests.shape(keepingBuildsAs: "commits")
        try fixture.git("tag 0.1.0")
        let settings: [String: Value] = ["verify": .bool(false), "products": .list([.string("Shape")])]
        let released = RecordedEvents()
        try fixture.run(PackageAction(), settings, events: released)
        #expect(released.messages.isEmpty)
        // A new file would have to be removed in the next run of the tests, with all products.
        try fixture.write("More.\n", to: "docs/guide.md")
        try fixture.commit("More")
        let events = RecordedEvents()
        try fixture.run(PackageAction(), settings, events: events)
        #expect(
            events.messages == ["the package has the version 0.1.0 of the last release, but contains 1 more commit"])
        // The files still contain the previous version.
        try fixture.git("tag 0.3.0")
        #expect(try fixture.run(PackageAction(), settings).outputs["version"] == .string("0.3.0"))
    }

    @Test func packagesNeedACommit() throws {
        let fixture = try GitFixture("fresh")
        let refusal = fixture.refusal(of: PackageAction())
        #expect(refusal?.message == "there is no commit yet\nhint: git add -A && git commit")
        try fixture.shell("rm -rf .git")
        let failure = fixture.refusal(of: PackageAction())
        #expect(failure?.message == "'\(fixture.path)' is not in a git repository with a checkout\nhint: git init")
        #expect(failure?.status == 65)
    }

    @Test func aPackageOfPluginsHasNothingToPack() throws {
        let fixture = try GitFixture.package()
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Gen", products: [.plugin(name: "Gen", targets: ["Gen"])],
                targets: [.plugin(name: "Gen", capability: .buildTool())])

            """, to: "Package.swift")
        try fixture.write("", to: "Plugins/Gen/Gen.swift")
        try fixture.commit("Plugins")
        let failure = fixture.refusal(of: PackageAction())
        #expect(
            failure?.message.hasPrefix("the package has no products to package\nhint: plugins") == true,
            "\(failure?.message ?? "")")
        let result = try fixture.run(PackageAction(), ["allow-empty": .bool(true)])
        #expect(result.skipReason == "the package has no products to package")
    }

    @Test func unknownProductsAreErrors() throws {
        let fixture = try PackageTests.shape()
        let failure = fixture.refusal(of: PackageAction(), ["products": .list([.string("Shpe")])])
        #expect(
            failure?.message == "there is no product 'Shpe': expected Shape or shape-tool\nhint: did you mean 'Shape'?")
        let other = fixture.refusal(of: PackageAction(), environment: ["SOURCE_DATE_EPOCH": "yesterday"])
        #expect(other?.message == "SOURCE_DATE_EPOCH: expected seconds since 1970, found 'yesterday'")
    }

    @Test(arguments: [
        ("shape-tool", "formula", "there is no remote 'origin'\nhint: git remote add origin URL"),
        ("Shape", "deb", "'formats' needs a product that is an executable"),
    ])
    func formatsAreRefusedBeforeTheBuild(_ product: String, _ format: String, _ reason: String) throws {
        let fixture = try PackageTests.shape()
        let processes = CountingProcesses()
        let settings = ["products": product, "formats": format].mapValues { Value.list([.string($0)]) }
        let failure = #expect(throws: OperationFailure.self) {
            try PackageAction().run(Settings(settings), in: fixture.context(processes: processes))
        }
        #expect(failure?.message.hasSuffix(reason) == true, "\(failure?.message ?? "")")
        #expect(!processes.calls.contains { $0.starts(with: ["swift", "build"]) })
    }

    @Test func aFileInPlaceOfTheDirectoryIsRefusedBeforeTheBuild() throws {
        let fixture = try PackageTests.shape()
        try fixture.write("", to: "dist")
        let processes = CountingProcesses()
        let failure = #expect(throws: OperationFailure.self) {
            try PackageAction().run(Settings(), in: fixture.context(processes: processes))
        }
        #expect(failure?.message.hasPrefix("'dist' is a file") == true, "\(failure?.message ?? "")")
        #expect(!processes.calls.contains { $0.starts(with: ["swift", "build"]) })
    }

    /// `--abort` leaves an empty directory.
    @Test func gitIgnoresTheArchivesInAnEmptyDirectory() throws {
        let fixture = try GitFixture()
        try fixture.shell("mkdir dist own; touch own/file")
        for output in ["dist", "own", "new"] { try fixture.context().makeOutputDirectory(output) }
        #expect(try fixture.shell("echo */.gitignore") == "dist/.gitignore new/.gitignore")
        #expect(try fixture.shell("touch dist/archive && git status --porcelain dist") == "")
    }

    @Test func aBrokenManifestFailsWithPlacesInThePackage() throws {
        let fixture = try PackageTests.shape()
        try fixture.write("let none = 1\n", to: "Package.swift")
        try fixture.commit("Break")
        let events = RecordedEvents()
        #expect(throws: OperationFailure("swift package failed: status 1")) {
            try fixture.run(PackageAction(), events: events)
        }
        let found = events.all.compactMap { kind in
            if case .buildDiagnostic(let diagnostic) = kind { diagnostic } else { nil }
        }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { !$0.message.contains("compiled with") }, "\(found)")
    }

    @Test func brokenSourcesFailWithPlacesInThePackage() throws {
        let fixture = try PackageTests.shape(keepingBuildsAs: "broken-shape")
        try fixture.write("let x: Int = \"no\"\n", to: "Sources/shape-tool/main.swift")
        try fixture.commit("Break")
        let events = RecordedEvents()
        #expect(throws: OperationFailure.self) { try fixture.run(PackageAction(), events: events) }
        let found = events.all.compactMap { kind in
            if case .buildDiagnostic(let diagnostic) = kind { diagnostic } else { nil }
        }
        #expect(found.map(\.location?.path) == ["Sources/shape-tool/main.swift"])
        #expect(found.first?.message.hasPrefix("cannot convert value of type 'String'") == true)
        #expect(events.output.isEmpty)
        #expect(try fixture.shell("ls -A dist 2>/dev/null || true") == "")
    }
}
