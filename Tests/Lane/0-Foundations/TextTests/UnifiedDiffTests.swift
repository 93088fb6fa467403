import TestSupport
import Testing
import Text

@Suite struct UnifiedDiffTests {
    @Test func equalTextsHaveNoDifference() {
        #expect(UnifiedDiff(from: "a\nb\n", to: "a\nb\n").text("x") == "")
    }

    @Test func changesHaveContext() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = old.replacing("3\n4", with: "3\nthree and a half\n4").replacing("\n17\n", with: "\n")
        #expect(
            UnifiedDiff(from: old, to: new).text("f") == """
                --- f
                +++ f
                @@ -1,6 +1,7 @@
                 1
                 2
                 3
                +three and a half
                 4
                 5
                 6
                @@ -14,7 +15,6 @@
                 14
                 15
                 16
                -17
                 18
                 19
                 20

                """)
    }

    @Test func newAndRemovedFiles() {
        #expect(UnifiedDiff(from: "", to: "a\n").text("f") == "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n")
        #expect(UnifiedDiff(from: "a\n", to: "").text("f") == "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n")
    }

    @Test func aMissingLineFeedAtTheEndIsShown() {
        #expect(
            UnifiedDiff(from: "1.2\r\n1.0", to: "1.2\r\n1.1\n").text("f")
                == "--- f\n+++ f\n@@ -1,2 +1,2 @@\n 1.2\r\n-1.0\n\\ No newline at end of file\n+1.1\n")
    }

    /// Applies the diff to the old text, which must result in the new one.
    @Test func applyingADiffRestoresTheNewText() {
        let lines = Generator<Int>.integer(in: 0...3).map { ["a\n", "b\n", "c\n", "d\n"][$0] }.array(count: 0...12)
        let both = Generator<([String], [String])> { source in
            (try lines.generate(&source), try lines.generate(&source))
        }
        checkProperty("a diff leads from one text to the other", both, cases: 300) { old, new in
            let text = UnifiedDiff(from: old.joined(), to: new.joined()).text("f")
            var result: [String] = []
            var next = 0
            for line in text.split(separator: "\n").dropFirst(2) {
                if line.hasPrefix("@@") {
                    let numbers = line.split(separator: " ")[1].dropFirst().split(separator: ",").compactMap { Int($0) }
                    let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
                    result += old[next..<start]
                    next = start
                } else if line.hasPrefix("-") {
                    next += 1
                } else {
                    if line.hasPrefix(" ") { next += 1 }
                    result.append(String(line.dropFirst()) + "\n")
                }
            }
            return result + old[next...] == new
        }
    }
}
