import ActionFixtures
import Actions
import Expressions
import OperatingSystem
import Release
import TestSupport
import Testing

/// Tests that the `commit` action commits the changes, and neither build products nor packages, in a package that was
/// built before.
@Suite(.startsPrograms) struct CommitActionTests {
    /// The content of `.gitignore`.
    static let ignored = [
        "", ".build\n.lane\ndist\n", ".build/\n.lane/\ndist/\n", "/.build\n", ".lane/\n", "dist/*\n!dist/keep\n",
        ".build/*\n", ".*\n!.gitignore\n",
    ]

    /// A package that was built and has changes.
    private func changed(ignoring ignored: String, in directory: String = ".") throws -> GitFixture {
        let fixture = try GitFixture.ready()
        try fixture.write(ignored, to: ".gitignore")
        try fixture.shell(
            """
            mkdir -p \(directory)/generated; cd \(directory); touch own.txt gone.txt
            mkdir -p "$(git rev-parse --git-path info)"; echo generated > "$(git rev-parse --git-path info/exclude)"; touch generated/tracked.txt
            git add :/.gitignore own.txt gone.txt; git add --force generated/tracked.txt; git commit -qm Ignore
            mkdir -p .build/debug .lane dist inner/.build 'odd [x] :name'
            for file in own.txt new.txt generated/tracked.txt generated/more.txt .build/debug/x.txt .lane/x.txt \
                dist/x.txt inner/.build/x.txt 'odd [x] :name/a.txt'
            do echo changed > "$file"; done; rm gone.txt
            """)
        return fixture
    }

    /// The subject of the last commit and the files that it changed.
    private func committed(_ fixture: GitFixture, in directory: String = ".") throws -> [String] {
        let show = "git -c core.quotePath=off show --format=%s --name-status --no-renames --relative | tr '\\t' ' '"
        return try fixture.shell("cd \(directory); \(show)").split(separator: "\n").map(String.init)
            .filter { !$0.isEmpty }
    }

    @Test(arguments: ignored, [".", "inner/package"]) func changesAreCommitted(
        ignored: String, directory: String
    ) throws {
        let fixture = try changed(ignoring: ignored, in: directory)
        try fixture.run(CommitAction(), ["message": .string("Change")], in: "\(fixture.path)/\(directory)")
        #expect(
            try committed(fixture, in: directory) == [
                "Change", "M generated/tracked.txt", "D gone.txt", "A new.txt", "A odd [x] :name/a.txt", "M own.txt",
            ])
        let again = try fixture.run(CommitAction(), ["message": .string("Again")], in: "\(fixture.path)/\(directory)")
        #expect(again.skipReason == "nothing to commit")
    }

    /// The setting `files`, and the committed files.
    @Test(
        arguments: [
            (["own.txt", "gone.txt"], ["D gone.txt", "M own.txt"]),
            (["generated/tracked.txt", "own.txt"], ["M generated/tracked.txt", "M own.txt"]),
            ([".", ":(exclude).build", ":!dist"], nil), (["new.txt", "generated"], nil),
            (["*.txt", ":!generated"], nil),
        ] as [([String], [String]?)])
    func namedFilesAreCommitted(files: [String], changes: [String]?) throws {
        let all = ["D gone.txt", "A new.txt", "A odd [x] :name/a.txt", "M own.txt"]
        let fixture = try changed(ignoring: Self.ignored[1])
        try fixture.run(
            CommitAction(), ["message": .string("Change"), "files": .list(files.map { .string($0) })])
        let expected =
            switch files.first {
            case ".": ["M generated/tracked.txt"] + all
            case "new.txt": ["M generated/tracked.txt", "A new.txt"]
            default: changes ?? all
            }
        #expect(try committed(fixture) == ["Change"] + expected)
    }

    /// The setting `files`, and a part of the error.
    @Test(arguments: [
        (["own.txt", "dist/x.txt"], "ignored by one of your .gitignore files:\ndist"),
        (["generated/more.txt"], "ignored by one of your .gitignore files:\ngenerated"),
        (["nowhere.txt"], "pathspec 'nowhere.txt' did not match any files"),
    ])
    func otherFilesAreErrors(files: [String], reason: String) throws {
        let fixture = try changed(ignoring: Self.ignored[1])
        let failure = fixture.refusal(
            of: CommitAction(), ["message": .string("Change"), "files": .list(files.map { .string($0) })])
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
        #expect(try fixture.git("log -1 --format=%s") == "Ignore")
    }
}
