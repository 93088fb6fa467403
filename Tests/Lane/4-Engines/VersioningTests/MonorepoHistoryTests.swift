import ActionFixtures
import Actions
import Expressions
import OperatingSystem
import TestSupport
import Testing
import Versioning

/// Tests of the commits that count for a package in a subdirectory. Its last tag is `shape-1.0.0`.
@Suite(.startsPrograms) struct MonorepoHistoryTests {
    struct History: Sendable {
        /// The script after the tag, and the directory of the package.
        let script: String
        var directory = "packages/shape"
        var begin = "packages/shape"
        let version: String
    }

    private static let shell = """
        export GIT_AUTHOR_DATE='@1700000000 +0000' GIT_COMMITTER_DATE='@1700000000 +0000'
        change() { mkdir -p "$1"; echo "$2" >> "$1/a.swift"; git add -A; git commit -qm "$2"; }
        move() { mkdir -p "$(dirname "$2")"; git mv "$1" "$2"; git commit -qm 'chore: Move'; }
        branch() { git switch -qc "$1"; }
        join() { git switch -q main; git merge -q --no-ff -m "$2" ${3:+-s $3} "$1"; }

        """

    static let histories = [
        History(script: "change packages/shape 'fix: here'; change other 'feat!: elsewhere'", version: "1.0.1"),
        History(
            script: "change old 'feat!: before'; move old packages/shape; change packages/shape 'fix: after'",
            begin: "old",
            version: "2.0.0"),
        History(
            script: "move old packages/shape; change packages/shape 'fix: after'; change old 'docs: nothing'",
            begin: "old",
            version: "1.0.1"),
        History(
            script: "move old middle; change middle 'feat: between'; move middle packages/shape", begin: "old",
            version: "1.1.0"),
        History(
            script: """
                change old 'feat!: before'; git mv old/Package.swift x; move old packages/shape
                printf 'import PackageDescription\\n\\nlet package = Package(\\n    name: "Shape"\\n)\\n' > packages/shape/Package.swift
                git rm -qf x; change packages/shape 'fix: anew'
                """, begin: "old", version: "2.0.0"),
        // The package was at the root.
        History(
            script: """
                change Sources 'feat: before'; mkdir -p packages/shape; git mv Package.swift Sources packages/shape
                git commit -qm 'chore: Move'; change packages/shape 'fix: after'; change packages/other 'feat!: other'
                """, begin: ".", version: "1.1.0"),
        // Another package was copied, and the tag does not contain this one.
        History(
            script:
                "cp -R old packages/; mv packages/old packages/shape; change packages/shape 'feat: new'; change old 'feat!: other'",
            begin: "old", version: "1.1.0"),
        // Merges after which the directory is as in one parent
        History(
            script: """
                branch topic; change packages/shape 'feat!: inside'; git revert --no-edit HEAD > /dev/null
                git commit -q --amend -m 'fix: take back'; git switch -q main; change other 'docs: x'; join topic "Merge branch 'topic'"
                """, version: "2.0.0"),
        History(
            script:
                "branch topic; change packages/shape 'wip'; git switch -q main; change other 'docs: x'; join topic 'feat!: all new (#3)'",
            version: "2.0.0"),
        History(
            script: "branch topic; change packages/shape 'chore: wip'; join topic 'feat: all new (#3)'",
            version: "1.1.0"),
        History(
            script: """
                branch topic; change packages/shape 'feat: same'; git switch -q main
                change packages/shape 'feat: same'; join topic "Merge branch 'topic'"; change packages/shape 'fix: x'
                """, version: "1.1.0"),
        // A setting of the user, and a commit from a machine whose clock was wrong
        History(
            script: """
                git config log.follow true; branch topic; change packages/shape 'feat: inside'; git switch -q main
                change other 'docs: x'; join topic 'fix: titled (#3)'
                """, version: "1.0.1"),
        History(
            script: """
                change packages/shape 'feat: first'
                GIT_COMMITTER_DATE='@1500000000 +0000' change packages/shape 'feat: second'
                branch topic; change packages/shape 'chore: wip'; git switch -q main
                change other 'docs: x'; join topic 'fix: titled (#3)'
                """, version: "1.1.0"),
        // The commit on which both parents of a merge build is not a part of the merge.
        History(
            script: """
                change packages/shape 'feat: on main'; branch topic; change packages/shape 'chore: wip'; git switch -q main
                change other 'docs: x'; join topic 'fix: titled (#3)'
                """, version: "1.1.0"),
        History(
            script: """
                change packages/shape 'feat: on main'; branch topic; change other 'docs: y'; branch inner
                change packages/shape 'feat!: taken'; git switch -q topic; git merge -q --no-ff -m 'docs: inner' inner
                git switch -q main; change third 'docs: x'; join topic 'fix: titled (#3)'
                """, version: "2.0.0"),
        History(
            script: "branch topic; change other 'feat!: x'; join topic 'feat!: x (#3)'; change packages/shape 'fix: y'",
            version: "1.0.1"),
    ]

    @Test(arguments: histories) func commitsOfTheDirectoryCount(history: History) throws {
        let fixture = try GitFixture("repository")
        try fixture.writeBuildProducts()
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "\(history.begin)/Package.swift")
        try fixture.write("// nothing\n", to: "\(history.begin)/Sources/shape.swift")
        try fixture.write("let package = Package(name: \"Other\")\n", to: "packages/other/Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag shape-1.0.0")
        try fixture.shell(Self.shell + history.script)
        let result = try fixture.run(BumpAction(), in: "\(fixture.path)/\(history.directory)")
        #expect(result.outputs["version"] == .string(history.version))
        #expect(result.outputs["tag"] == .string("shape-\(history.version)"))
    }
}
