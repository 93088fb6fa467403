import Git
import Testing
import Text

@testable import Versioning

/// Tests of the forms of breaking changes and features in real histories.
@Suite struct BreakingChangeTests {
    private func bump(_ commits: [GitCommit]) throws -> VersionBump? {
        VersionBump.required(by: commits, after: try #require(SemanticVersion("1.0.0")))
    }

    private func bump(_ message: String, parents: [String] = []) throws -> VersionBump? {
        try bump([GitCommit(hash: "a", parents: parents, message: message)])
    }

    static let breaking = [
        "feat!: x", "feat(ui)!: x", "feat!(ui): x", "feat (ui)!: x", "feat !: x", "feat(a:b)!: x", "feat[ui]!: x",
        "FEAT!: x", "feat!!: x", "feat!：x", "feat!:x", "Parser!: x",
        // Before the subject.
        "Merged PR 12: feat!: x", "[ABC-12] feat!: x", "(ABC-12) feat!: x", "ABC-12: feat!: x", "ABC-12 feat!: x",
        "ABC-12 | feat!: x", "#12 feat!: x", "#12: feat!: x", "PR #12: feat!: x", "[ABC-12][ui] feat!: x",
        "💥 feat!: x", "💥feat!: x", ":boom: feat!: x", "♻️ refactor!: x", "✨ [ABC-12] feat(ui)!: x", "💥 feat: x",
        "💥 Drop x", ":boom: Drop x", "BREAKING CHANGE: x", "BREAKING: x", "Merge PR #12: feat!: x (#12)",
        "[BREAKING] Drop x", "(breaking) Drop x", "[#12] [BREAKING] fix: x", "breaking: x", "Breaking change: x",
        "♻️💥 Drop x",
        // Bullets of squashed commits.
        "Rework (#12)\n\n* feat: a\n\n* feat!: x", "chore: sync (#3)\n\n* feat!: x", "Rework\n\n- feat!: x",
        "Rework\n* feat(ui)!: x", "feat: a (#12)\n\n* fix: b\n* refactor(core)!: x\n* docs: c",
        "Squash\n\ncommit 1f0\nAuthor: A <a@b>\nDate: now\n\n    feat!: x\n", "Merged (#2)\n\nfeat!: x",
        "Merged in topic (pull request #12)\n\nfeat!: x\n\nApproved-by: Ada", "Rework\n\n1. feat!: x",
        "Rework\n\n* [ABC-12] feat!: x", "Rework\n\n* 💥 feat: x", "Merge branch 'x' into 'main'\n\nfeat!: x",
        // Notes.
        "feat: a\n\nBREAKING CHANGE: x", "feat: a\n\nBREAKING-CHANGE: x", "feat: a\n\n* BREAKING CHANGE: x",
        "feat: a\n\n- BREAKING CHANGE: x", "feat: a\n\n  BREAKING CHANGE: x", "feat: a\n\n**BREAKING CHANGE:** x",
        "feat: a\n\n**BREAKING CHANGE**: x", "feat: a\n\n* **BREAKING CHANGE**: x", "feat: a\n\n__BREAKING CHANGE__: x",
        "feat: a\n\nBREAKING CHANGES: x", "feat: a\n\nBreaking change: x", "feat: a\n\nbreaking change: x",
        "feat: a\n\nBreaking Changes:\n- x\n- y", "feat: a\n\nBREAKING CHANGE:\n\nx", "feat: a\n\nBREAKING CHANGE : x",
        "feat: a\n\nBREAKING CHANGE(ui): x", "feat: a\n\nBREAKING CHANGE!: x", "feat: a\n\n💥 BREAKING CHANGE: x",
        "feat: a\n\n⚠️ BREAKING CHANGES: x", "feat: a\n\n### BREAKING CHANGES\n\n* x",
        "feat: a\n\n## Breaking changes\n\nx",
        "feat: a\n\n### ⚠ BREAKING CHANGES\n\n* **ui:** x", "feat: a\nBREAKING CHANGE: x",
        "feat: a\r\n\r\nBREAKING CHANGE: x\r\n",
        "feat: a\n\nBREAKING: x", "feat: a\n\nWords.\nBREAKING CHANGE: x", "feat: a\n\nRefs: #1\nBreaking-Change: x",
        "feat: a\n\nBREAKING CHANGE #12", "feat: a\n\nBREAKING CHANGE：x", "feat: a\n\nBREAKING CHANGE - x",
        "docs: a\n\nBREAKING CHANGE: x", "feat: a\n\nBREAKING CHANGE: No more sides",
    ]

    @Test(arguments: breaking) func formsOfBreakingChanges(message: String) throws {
        #expect(try bump(message) == .major)
    }

    @Test(arguments: [
        "feat: x", "feat (ui): x", "Merged PR 12: feat: x", "✨ feat: x", "✨ Add x", ":sparkles: Add x",
        "[feat] x", "[Feature] #12 x", "[ABC-12] [feat] x",
        "[ABC-12] feature: x", "Rework (#12)\n\n* feat: x\n\n* fix: y", "feat: a\n\nBREAKING CHANGE: none",
        "feat: a\n\nBreaking changes: No.", "feat: a\n\nBREAKING CHANGE: N/A", "feat: a\n\n## Breaking changes\n\nNone",
        "feat: a\n\n- [ ] Breaking change", "feat: a\n\n<!-- BREAKING CHANGE: describe it -->",
        "feat: a\n\n<!--\nBREAKING CHANGE: describe it\n-->", "feat: a\n\n```\nBREAKING CHANGE: x\n```",
        "feat: a\n\nThis is no\nbreaking change: the names stay", "feat: a\n\nBreaking change:\n",
        "feat: a\n\nNo BREAKING CHANGE: here", "feat: a\n\nThe mark `feat!:` is read",
    ]) func features(message: String) throws {
        #expect(try bump(message) == .minor)
    }

    /// The notes of an updated dependency are about its own changes.
    @Test(arguments: [
        "fix(deps): update x to v2 (#3)\n\n### Release Notes\n\n<details>\n<summary>a/x</summary>\n\n* refactor!: y\n* BREAKING CHANGE: z\n\n</details>\n\nText",
        "Bump x from 1 to 2 (#12)\n\n* feat!: y", "fix(deps): x\n\n- feat!: y\n- feat: z",
        "Update dependency x to v2\n\nfeat!: y",
        "fix: x\n\n> ## 2.0.0\n> BREAKING CHANGE: y", "fix: x\n\n<details>BREAKING CHANGE: y</details>",
    ])
    func notesOfDependencies(message: String) throws {
        #expect(try bump(message) == .patch)
        #expect(try bump(message + "\n\nBREAKING CHANGE: ours") == .major)
    }

    @Test(arguments: [
        "fixup! feat!: x", "Merge branch 'x'", "Merge pull request #1 from a/b\n\nTake x", "docs: x", "[docs] x",
        "[CI] x",
    ])
    func noChange(message: String) throws {
        #expect(try bump(message) == nil)
    }

    /// A merge with a title, its commits, and the entries.
    @Test(
        arguments: [
            ("feat!: x (#12)", "feat: y", ["**Breaking:** X (#12)"]),
            ("Merge pull request #12 from a/b\n\nfeat!: x", "fix: y", ["**Breaking:** X"]),
            (
                "Merge pull request #12 from a/b\n\nTake x\n\nBREAKING CHANGE: y", "wip",
                ["**Breaking:** Take x. y", "Wip"]
            ),
            (
                "Merge branch 'x' into 'main'\n\nfeat: x\n\nSee merge request a/b!12", "feat!: y",
                ["X", "**Breaking:** Y"]
            ),
            ("Merged PR 12: fix: x", "feat: y", ["X"]), ("Merge branch 'x'", "feat: y", ["Y"]),
            ("Take x", "feat: y", ["Y"]), ("chore: x", "feat: y", []),
        ] as [(String, String, [String])]) func merges(message: String, inner: String, entries: [String])
    {
        let commits = [
            GitCommit(hash: "m", parents: ["b", "s"], message: message),
            GitCommit(hash: "s", parents: ["a"], message: inner),
            GitCommit(hash: "b", parents: ["a"], message: "fix: beside"),
        ]
        #expect(CommitEntry.list(commits).map(\.text) == entries + ["Beside"])
    }

    @Test(
        arguments: [
            ("feat: a\n\nThis is a breaking change for users of b.", "This is a breaking change for users of b."),
            ("Breaking changes in the parser", "Breaking changes in the parser"),
            ("fix: a backwards incompatible format", "fix: a backwards incompatible format"),
            ("feat: a\n\n- [x] Breaking change", "- [x] Breaking change"), ("feat: a\n\n- [ ] Breaking change", nil),
            ("fix: a\n\n> BREAKING CHANGE: b", "> BREAKING CHANGE: b"), ("feat: a\n\nNo breaking changes.", nil),
            ("feat: a\n\nBreaking change: no", nil), ("feat!: a", nil),
            ("break: x", "break: x"), ("Drop x [breaking]", "Drop x [breaking]"), ("[BREAKING] Drop x", nil),
            ("feat: a\n\nThis is not a breaking change.", nil), ("feat: a\n\nBREAKING CHANGE: b", nil),
        ] as [(String, String?)]) func doubts(message: String, line: String?)
    {
        let doubt = GitCommit(hash: "a", message: message).doubt
        #expect((doubt == nil) == (line == nil))
        if let line { #expect(doubt?.contains("'\(line)'") == true) }
    }
}
