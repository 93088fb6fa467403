import TestSupport
import Testing

@Suite struct GoldenTests {
    @Test func differenceShowsTheLinesAroundAChange() {
        let old = (1...9).map { "line \($0)" }.joined(separator: "\n")
        let new = old.split(separator: "\n").map { $0 == "line 5" ? "line five  " : String($0) }.joined(separator: "\n")
        #expect(
            lineDifference(from: old, to: new) == """
                --- text
                +++ text
                @@ -2,7 +2,7 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +line five··
                 line 6
                 line 7
                 line 8

                """)
    }

    @Test(arguments: [
        ("built in 12.3 s (204 ms)", "built in <time> (<time>)"),
        ("after 1 m 02.613 s, 1 h 02 m 03 s or 1m3s", "after <time>, <time> or <time>"),
        ("/tmp/lane-test.aB3xY9/Lanes/test.yml:3:1", "<tmp>/Lanes/test.yml:3:1"),
        ("at 2026-11-21T00:30:00Z by 0.2.0", "at <date> by 0.2.0"),
        ("tracer 0.2.0 has 3 steps", "tracer 0.2.0 has 3 steps"),
        (String(repeating: "0a", count: 32), "<hash>"),
    ])
    func redactionReplacesVolatileText(text: String, expected: String) {
        #expect(redacted(text) == expected)
    }

    @Test func redactionHidesTheLongestNamedTextFirst() {
        #expect(redacted("/root/x/y", replacing: ["/root": "<root>", "/root/x": "<package>"]) == "<package>/y")
    }

    @Test func goldenFilesAreComparedAndRewritten() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/Golden/a.txt"
        #expect(goldenMismatch("one\n", path, updates: false) == "there is no Golden/a.txt; UPDATE_GOLDEN=1 makes it")
        #expect(
            goldenMismatch("one\n", path, updates: true)
                == "Golden/a.txt was rewritten; look at the change and run again")
        #expect(goldenMismatch("one\n", path, updates: true) == nil)
        let mismatch = try #require(goldenMismatch("two\n", path, updates: false))
        #expect(
            mismatch.hasPrefix(
                """
                differs from Golden/a.txt (UPDATE_GOLDEN=1 rewrites it)
                --- text
                +++ text
                @@ -1,1 +1,1 @@
                -one
                +two

                """))
        #expect(try directory.read("Golden/a.txt") == "one\n")
    }
}
