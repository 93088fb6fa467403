import Git
import OperatingSystem
import TestSupport
import Testing

@Suite(.startsPrograms) struct GitStatusTests {
    @Test func statusOfEveryKind() {
        let text = """
            # branch.oid abc\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +1 -2\0\
            1 .M N... 100644 100644 100644 a b with space.txt\02 R. N... 100644 100644 100644 a b R100 new\0old\0\
            u UU N... 1 2 3 4 a b c both\0? new file\0? .build/\0? a/.build/\0? .builds/\0
            """
        let status = GitStatus(porcelain: Array(text.utf8))
        #expect(status.head == "abc")
        #expect(status.branch == "main")
        #expect(status.changes == ["with space.txt", "new", "both", "new file", ".builds/"])
    }

    @Test func partsOfOtherMachinesAreNoChange() throws {
        let fixture = try GitFixture()
        try fixture.commit("first")
        try fixture.shell(
            """
            mkdir -p parts/linux parts/macos
            manifest='{"version": "1.0.0", "commit": "c", "files": [{"name": "a", "size": 1, "sha256": "d"}]}'
            echo "$manifest" | tee parts/linux/a.manifest.json > parts/macos/a.manifest.json
            touch parts/linux/a.tar.gz parts/parts.sha256 parts/parts.sha256.sig
            """)
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        #expect(try GitStatus.read(git).changes.isEmpty)
        try fixture.shell("touch parts/notes.txt")
        #expect(try GitStatus.read(git).changes == ["parts/"])
    }

    /// `swift package init` doesn't ignore `dist`, which the first release creates.
    @Test func packagesOfAnEarlierReleaseAreNoChange() throws {
        let fixture = try GitFixture()
        try fixture.commit("first")
        try fixture.shell(
            """
            mkdir -p dist other below/dist
            manifest='{"version": "1.0.0", "commit": "c", "files": [{"name": "a", "size": 1, "sha256": "d"}]}'
            echo "$manifest" | tee dist/shape-1.0.0.manifest.json > below/dist/a.manifest.json
            touch dist/shape.tar.gz; echo '{"files": []}' > other/app.manifest.json
            """)
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        #expect(try GitStatus.read(git).changes == ["below/", "other/"])
        try fixture.shell("touch below/.gitignore; git add below/.gitignore")
        #expect(try GitStatus.read(git.inside("\(fixture.path)/below")).changes == ["below/.gitignore", "other/"])
        try fixture.shell("git add dist/shape.tar.gz")
        #expect(try GitStatus.read(git).changes.contains("dist/shape.tar.gz"))
    }
}
