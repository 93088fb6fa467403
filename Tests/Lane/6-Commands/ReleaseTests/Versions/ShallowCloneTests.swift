import ActionFixtures
import Actions
import Expressions
import OperatingSystem
import Release
import TestSupport
import Testing
import Versioning

/// Tests that no version is computed from a part of the commits since the last release.
@Suite(.startsPrograms) struct ShallowCloneTests {
    /// A repository with a tag, and since then two commits on `main` and four on a merged branch, of which the first is a
    /// breaking change.
    private func clone(_ script: String) throws -> GitFixture {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "Package.swift")
        try fixture.writeBuildProducts()
        try fixture.commit("Begin")
        try fixture.commit("fix: before")
        try fixture.shell(
            """
            commit() { git commit -q --allow-empty -m "$1"; }
            git tag 1.0.0; git switch -qc topic; commit 'feat!: remove'; commit 'fix: b'; commit 'fix: c'; commit 'fix: d'
            git switch -q main; commit 'fix: on main'; git merge -q --no-ff -m "Merge branch 'topic'" topic
            cd ..; mv shape origin; \(script); cp -R origin/.build origin/.lane origin/dist shape
            """.replacing("URL", with: "\"file://$PWD/origin\""))
        return fixture
    }

    static let incomplete = [
        "git clone -q --depth 3 URL shape", "git clone -q --depth 4 URL shape",
        "git clone -q --shallow-exclude=1.0.0 URL shape; git -C shape fetch -q --depth 1 origin tag 1.0.0",
        "git clone -q --depth 1 URL shape; git -C shape fetch -q --depth 1 origin tag 1.0.0",
        "git clone -q --depth 1 --no-tags URL shape",
    ]

    @Test(arguments: incomplete) func aPartOfTheCommitsIsRefused(script: String) throws {
        let fixture = try clone(script)
        let before = try fixture.state()
        for action in [BumpAction(), RequireAction()] as [any StepAction] {
            let failure = fixture.refusal(of: action, ["version": .string("auto")])
            #expect(failure?.status == 65)
            #expect(failure?.message.contains("git fetch --unshallow --tags") == true, "\(failure?.message ?? "none")")
        }
        #expect(try fixture.state() == before)
        try fixture.git("fetch -q --unshallow --tags")
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string("2.0.0"))
    }

    @Test(arguments: [
        "git clone -q --depth 6 URL shape", "git clone -q URL shape", "git clone -q --filter=tree:0 URL shape",
    ])
    func completeCommitsAreCounted(script: String) throws {
        let fixture = try clone(script)
        try fixture.run(RequireAction(), ["version": .string("auto")])
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string("2.0.0"))
    }
}
