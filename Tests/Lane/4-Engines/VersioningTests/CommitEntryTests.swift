import ActionFixtures
import Actions
import Expressions
import Git
import LaneModel
import OperatingSystem
import TestSupport
import Testing

@testable import Versioning

/// Tests of changelog entries of commits, and of the versions that commits require.
@Suite(.startsPrograms) struct CommitEntryTests {
    /// A subject, a body, and the entry; `-` for none.
    static let cases: [(subject: String, body: String, line: String)] = [
        ("feat: corners", "", "Added: Corners"), ("Feat: corners", "", "Added: Corners"),
        ("FIX(Parser): holes", "", "Fixed: Parser: holes"), ("Feature(x)!: y", "", "Added: **Breaking:** X: y"),
        ("fix:holes", "", "Fixed: Holes"), ("security: keys", "", "Security: Keys"),
        ("Docs: words", "", "-"), ("chore(deps): bump x", "", "-"), ("CI: faster", "", "-"),
        ("docs!: words", "", "Changed: **Breaking:** Words"), ("wip!: all", "", "Changed: **Breaking:** Wip: all"),
        ("Parser(deep)!: tabs", "", "Changed: **Breaking:** Parser(deep): tabs"),
        ("parser: tabs", "", "Changed: Parser: tabs"), ("Hello world!: x", "", "Changed: Hello world!: x"),
        ("!: x", "", "Changed: !: x"), ("feat:", "", "Changed: Feat:"), ("feat!:  ", "", "Changed: Feat!:  "),
        ("feat!", "", "Changed: Feat!"), ("a!b: c", "", "Changed: A!b: c"),
        ("größe!: x", "", "Changed: **Breaking:** Größe: x"),
        ("Merge branch 'x' into y", "", "-"), ("Merge pull request #3 from a/b", "", "-"), ("Merge tag 'v1'", "", "-"),
        ("Merge remote-tracking branch 'origin/x'", "", "-"), ("Merge branches 'a' and 'b'", "", "-"),
        ("Merge commit 'abc'", "", "-"), ("Merge adjacent strokes", "", "Changed: Merge adjacent strokes"),
        ("Merge branch names", "", "Changed: Merge branch names"),
        ("Merge: pull requests", "", "Changed: Merge: pull requests"),
        ("fixup! feat: x", "", "-"), ("squash! feat: x", "", "-"), ("amend! feat: x", "", "-"),
        ("Release 1.2.3", "", "-"), ("Release the hounds", "", "Changed: Release the hounds"),
        ("revert: feat: x", "", "Changed: Revert \"feat: x\""),
        ("Revert \"feat: x\"", "", "Changed: Revert \"feat: x\""),
        (
            "fix: x", "BREAKING CHANGE: `old()` is gone; use `new()`",
            "Fixed: **Breaking:** X. `old()` is gone; use `new()`"
        ),
        ("fix: x", "Why.\n\nBREAKING-CHANGE: one\n two\nthree\n\nmore words", "Fixed: **Breaking:** X. one two three"),
        ("fix: x", "BREAKING CHANGE: one\nSigned-off-by: Ada\nRefs #12", "Fixed: **Breaking:** X. one"),
        ("fix: x", "BREAKING CHANGE: one\nBREAKING CHANGE: two", "Fixed: **Breaking:** X. one two"),
        ("fix!: old names", "BREAKING CHANGE: Old names", "Fixed: **Breaking:** Old names"),
        ("docs: words", "\r\nBREAKING CHANGE: it\r\n", "Changed: **Breaking:** Words. it"),
        ("Rename all", "BREAKING CHANGE: yes", "Changed: **Breaking:** Rename all. yes"),
        ("fix: x", "No BREAKING CHANGE: here", "Fixed: X"), ("fix: x", "breaking change: no", "Fixed: X"),
    ]

    @Test(arguments: cases.indices) func lines(index: Int) {
        let (subject, body, line) = Self.cases[index]
        let entry = CommitEntry(GitCommit(hash: "", subject: subject, body: body))
        #expect(entry.map { "\($0.section.rawValue): \($0.text)" } ?? "-" == line)
        #expect((entry?.isBreaking ?? false) == line.contains("**Breaking:**"))
    }

    /// Commits as `hash subject | body`, newest first, and the hashes of those that remain.
    static let reverts: [(commits: [String], left: String)] = [
        (["b revert: feat: x", "a feat: x"], ""), (["b Revert \"feat: x\"", "a feat: x"], ""),
        (["b Revert \"feat: x\" (#2)", "a feat: x"], ""), (["b Revert \"feat: x (#1)\" (#2)", "a feat: x (#1)"], ""),
        (["b Revert: feat: x", "a feat: x"], ""), (["b revert(scope): feat: x", "a feat: x"], ""),
        (["b revert: feat: y", "a feat: x"], "ba"), (["b Revert \"feat: x\""], "b"),
        (["c feat: x", "b revert: feat: x", "a feat: x"], "c"),
        (["c revert: revert: feat: x", "b revert: feat: x", "a feat: x"], "a"),
        (["c Reapply \"feat: x\"", "b Revert \"feat: x\"", "a feat: x"], "a"),
        (["d Revert \"Reapply \"feat: x\"\"", "c Reapply \"feat: x\"", "b Revert \"feat: x\"", "a feat: x"], ""),
        (["c revert: two | Refs: aaaaaaa1, bbbbbbb2", "bbbbbbb222 feat: b", "aaaaaaa111 feat: a"], ""),
        (["c revert: two | Refs: aaaaaaa1, ccccccc2", "bbbbbbb222 feat: b", "aaaaaaa111 feat: a"], "b"),
        (["c Revert \"x\" | This reverts commit aaaaaaa111.", "b x", "aaaaaaa111 x"], "b"),
        (["c Revert \"x\" | This reverts commit 1234567890.", "b x", "a x"], "a"),
        (["a feat: x", "b revert: feat: x"], "ab"), (["b Revert the engine", "a the engine"], "ba"),
    ]

    @Test(arguments: reverts.indices) func revertedCommitsAreOmitted(index: Int) {
        let (commits, left) = Self.reverts[index]
        let all = commits.map { text in
            let parts = text.split(separator: " | ").map(String.init)
            let words = parts[0].split(separator: " ", maxSplits: 1).map(String.init)
            return GitCommit(hash: words[0], subject: words[1], body: parts.count > 1 ? parts[1] : "")
        }
        #expect(Reverts.remaining(of: all).map { String($0.hash.prefix(1)) }.joined() == left)
    }

    /// Random commits and reverts are applied as git does. The remaining commits must have the same effect.
    @Test func revertsAreAppliedInOrder() {
        checkProperty(
            "what holds in the end remains", Generator<UInt8>.integer(in: 0...255).array(count: 0...30), cases: 300
        ) { choices in
            var subjects: [String] = []
            var targets: [Int?] = []
            var bodies: [String] = []
            var holds: [Bool] = []
            for choice in choices {
                let candidates = holds.indices.filter { holds[$0] }
                // A revert of a revert restores the original commit, and so on.
                var flips: [(index: Int, holds: Bool)] = []
                var next = candidates.isEmpty ? nil : candidates[Int(choice) % candidates.count]
                while let index = next {
                    flips.append((index, flips.count % 2 == 1))
                    next = targets[index]
                }
                // Git cannot revert a change that is not present.
                guard choice % 3 > 0, let target = flips.first?.index, flips.allSatisfy({ holds[$0.index] != $0.holds })
                else {
                    (subjects, targets) = (subjects + ["feat: \(subjects.count)"], targets + [nil])
                    (bodies, holds) = (bodies + [""], holds + [true])
                    continue
                }
                for flip in flips { holds[flip.index] = flip.holds }
                let name = String(0xABC_0000 + target, radix: 16)
                (subjects, targets) = (subjects + ["Revert \"\(subjects[target])\""], targets + [target])
                (bodies, holds) = (bodies + ["This reverts commit \(name)."], holds + [true])
            }
            let commits = subjects.indices.reversed().map {
                GitCommit(hash: String(0xABC_0000 + $0, radix: 16), subject: subjects[$0], body: bodies[$0])
            }
            let expected = subjects.indices.reversed().filter { holds[$0] && targets[$0] == nil }.map { subjects[$0] }
            return try expectEqual(Reverts.remaining(of: commits).map(\.subject), expected)
        }
    }

    /// The messages of git, including those of merges and reverts.
    @Test func gitsOwnRevertsAreKnown() throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        func make(_ file: String, _ message: String) throws {
            try fixture.write("\(file)\n", to: file)
            try fixture.commit(message)
        }
        try make("a.txt", "feat: a")
        try make("b.txt", "feat: b")
        try fixture.git("revert --no-edit HEAD")
        try make("c.txt", "fix: c")
        try fixture.git("revert --no-edit HEAD; git revert --no-edit HEAD")
        try fixture.git("switch -qc side")
        try make("d.txt", "feat!: d")
        try make("e.txt", "feat: e")
        try fixture.git("switch -q main; git merge -q --no-ff -m 'Take the side' side; git revert --no-edit -m 1 HEAD")
        let facts = try VersionFacts.read(fixture.context())
        #expect(CommitEntry.list(try facts.history.commits(since: facts.tags.last)).map(\.text) == ["C", "A"])
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string("0.2.0"))
    }

    @Test func revertedCommitsRequireNoRelease() throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.commit("feat: x")
        try fixture.commit("revert: feat: x")
        #expect(fixture.refusal(of: BumpAction())?.message == "nothing to release: no change for users since 0.1.0")
    }
}
