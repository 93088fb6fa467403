import Git
import Testing

@Suite struct GitStatusTests {
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
}
