import Expressions
import Git
import OperatingSystem
import TestSupport
import Testing

@testable import Packaging

@Suite(.startsPrograms) struct SourceCopyTests {
    private func copy(
        _ fixture: GitFixture, _ directory: String, below subdirectory: String = "", tag: String? = nil
    ) throws -> SourceCopy {
        let git = Git(
            in: "\(fixture.path)\(subdirectory)", environment: fixture.environment, processes: ChildRunner())
        return try SourceCopy.make(named: "Shape", in: directory, git: git, tag: tag)
    }

    /// Updates the copy and returns the files of an earlier build in it.
    private func builtFiles(in fixture: GitFixture, _ directory: String) throws -> String {
        _ = try copy(fixture, directory)
        return try fixture.shell("cd '\(directory)/Shape' && ls .build 2>/dev/null || echo none")
    }

    /// Returns every file with its mode, and its content or link target.
    private func content(of copy: SourceCopy, _ fixture: GitFixture) throws -> String {
        try fixture.shell(
            """
            cd '\(copy.path)'
            find . -mindepth 1 -printf '%P %y %m %l\\n' | LC_ALL=C sort
            find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
            """)
    }

    @Test func aNameThatIsNotUTF8IsRefused() throws {
        let fixture = try GitFixture()
        try fixture.shell("touch a.swift \"$(printf 'caf\\351')\"")
        try fixture.commit("Begin")
        let failure = #expect(throws: OperationFailure.self) {
            try builtFiles(in: fixture, "\(fixture.temporary.path)/here")
        }
        #expect(
            failure?.message == "the name of 'caf\u{FFFD}' is not UTF-8, so it cannot be packaged\nhint: git mv")
        try fixture.shell("rm caf*")
    }

    /// Scripts that change the checkout after the commit.
    static let checkouts = [
        "git config core.autocrlf true; git rm -q --cached -r .; git reset -q --hard",
        "git config core.eol crlf; echo '* text eol=crlf' > .git/info/attributes; git rm -q --cached -r .; git reset -q --hard",
        "git config core.fileMode false; chmod +x a.swift; chmod -x run.sh",
        "git config core.symlinks false; rm link; git checkout -q link",
        "git sparse-checkout set Sources",
        "git update-index --assume-unchanged a.swift; echo other > a.swift",
        "git update-index --skip-worktree a.swift; echo other > a.swift",
        "echo other > a.swift; rm run.sh; touch more.swift; git add more.swift",
        "echo '* export-ignore' > .git/info/attributes",
        "git config core.attributesFile .git/mine; echo '* filter=lfs export-ignore' > .git/mine",
        "git config filter.up.smudge 'tr a-z A-Z'; echo '* filter=up' > .git/info/attributes; rm a.swift; git checkout -q a.swift",
        "git config core.quotePath true; git config status.showUntrackedFiles no; git config core.ignoreCase true",
        "mkdir -p ../renamed; cp -R . ../renamed/x; rm -rf Sources",
    ]

    @Test(arguments: checkouts) func onlyTheCommitCounts(script: String) throws {
        let fixture = try GitFixture()
        try fixture.shell(
            """
            mkdir -p Sources Documents/é .git/info
            printf 'let a = 1\\n' > a.swift; printf 'one\\r\\ntwo\\r\\n' > Sources/windows.txt
            printf '\\000\\001\\n\\r\\n' > Sources/bytes.bin; : > Documents/é/empty; echo 'echo hi' > run.sh; chmod +x run.sh
            ln -s Sources/windows.txt link; printf '*.txt text\\n' > .gitattributes
            """)
        try fixture.commit("Begin")
        try fixture.git("-c core.autocrlf=false reset --quiet --hard")
        let one = try copy(fixture, "\(fixture.temporary.path)/one")
        let plain = try content(of: one, fixture)
        #expect(one.exported == one.files && one.files.count == 7)
        try fixture.shell(script)
        let other = try copy(fixture, "\(fixture.temporary.path)/other")
        #expect(try content(of: other, fixture) == plain)
        #expect(other.exported == one.exported)
        // The first copy is updated in the same way.
        #expect(try content(of: copy(fixture, "\(fixture.temporary.path)/one"), fixture) == plain)
    }

    /// The archive contains what `git archive` writes, whatever the configuration of the checkout.
    @Test(arguments: [
        "true", "git config log.date relative; git config core.abbrev 20; git config log.showSignature true",
    ])
    func exportSubstIsApplied(script: String) throws {
        let fixture = try GitFixture()
        try fixture.shell(
            #"""
            mkdir -p docs packages/a
            printf 'let commit = "$Format:%%H$" // $Format:%%an <%%ae> %%cI$\n$Format$ $Format: $Format:%%s' > a.swift
            cp a.swift plain.swift; cp a.swift docs/b.txt; cp a.swift packages/a/c.swift; ln -s a.swift link
            printf '\351$Format:%%B$\000\r\n$Format:%%ad$' > bytes.bin
            printf 'a.swift export-subst\ndocs/* export-subst\n*.bin export-subst\nlink export-subst\npackages/** export-subst\n' \
                > .gitattributes
            """#)
        try fixture.commit("Begin: größer")
        try fixture.shell("mkdir ../expected; git archive HEAD | tar -x -C ../expected; \(script)")
        let whole = try copy(fixture, "\(fixture.temporary.path)/one")
        #expect(try fixture.shell("diff -r --no-dereference ../expected '\(whole.path)'") == "")
        #expect(try fixture.shell("grep -c \"$(git rev-parse HEAD)\" '\(whole.path)/a.swift'") == "1")
        let part = try copy(fixture, "\(fixture.temporary.path)/two", below: "/packages/a")
        #expect(try fixture.shell("cmp ../expected/packages/a/c.swift '\(part.path)/c.swift'") == "")
    }

    /// A release is packaged before its tag exists. Afterwards, the same commit gives the same bytes in every checkout.
    @Test func referencesAreTheTagOfTheRelease() throws {
        let fixture = try GitFixture()
        try fixture.write(
            "$Format:%(describe:tags=true,match=*[0-9]*)$\n$Format:%D$\n$Format:a%d %%D %s$\n", to: "archival.txt")
        try fixture.write("archival.txt export-subst\n", to: ".gitattributes")
        try fixture.commit("Begin")
        try fixture.git("branch other")
        let path = "\(fixture.temporary.path)/copy"
        _ = try copy(fixture, path, tag: "v1.1.0")
        let before = try fixture.shell("cat '\(path)/Shape/archival.txt'")
        #expect(before == "v1.1.0\ntag: v1.1.0\na (tag: v1.1.0) %D Begin")
        try fixture.git("tag -am x v1.1.0")
        _ = try copy(fixture, path)
        #expect(try fixture.shell("cat '\(path)/Shape/archival.txt'") == before)
    }

    @Test func exportIgnoreAppliesToFilesAndDirectories() throws {
        let fixture = try GitFixture()
        try fixture.shell(
            """
            mkdir -p Tests/Deep docs packages/shape/inner
            touch a.swift Tests/Deep/a.swift docs/b.md packages/shape/c.swift packages/shape/inner/d.tmp keep.tmp
            printf 'Tests export-ignore\\n/docs/ export-ignore\\n*.tmp export-ignore\\nkeep.tmp -export-ignore\\n' \
                > .gitattributes
            """)
        try fixture.commit("Begin")
        let whole = try copy(fixture, "\(fixture.temporary.path)/whole")
        #expect(whole.files.count == 7)
        #expect(whole.exported == [".gitattributes", "a.swift", "keep.tmp", "packages/shape/c.swift"])
        let exported = try fixture.shell("git archive HEAD | tar -t | grep -v '/$' | LC_ALL=C sort")
        #expect(whole.exported == exported.split(separator: "\n").map(String.init))
        let inner = try copy(fixture, "\(fixture.temporary.path)/inner", below: "/packages/shape")
        #expect(inner.files == ["c.swift", "inner/d.tmp"])
        #expect(inner.exported == ["c.swift"])
    }

    @Test func largeFilesHaveTheirContentOrAreRefused() throws {
        let fixture = try GitFixture()
        let content = "large\n"
        let digest = try fixture.shell("printf 'large\\n' | sha256sum | cut -c1-64")
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize \(content.utf8.count)\n"
        try fixture.write(pointer, to: "big.bin")
        try fixture.write(pointer, to: "Fixtures/pointer.txt")
        try fixture.write("*.bin filter=lfs diff=lfs merge=lfs -text\n", to: ".gitattributes")
        try fixture.commit("Begin")
        let failure = #expect(throws: OperationFailure.self) { try copy(fixture, "\(fixture.temporary.path)/one") }
        #expect(
            failure?.message
                == "'big.bin' is a Git LFS pointer whose content was not fetched\nhint: git lfs pull")
        let store = ".git/lfs/objects/\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))"
        try fixture.shell("mkdir -p \(store); echo damaged > \(store)/\(digest)")
        #expect(throws: OperationFailure.self) { try copy(fixture, "\(fixture.temporary.path)/one") }
        try fixture.write(content, to: "\(store)/\(digest)")
        let whole = try copy(fixture, "\(fixture.temporary.path)/one")
        #expect(try fixture.shell("cat '\(whole.path)/big.bin'") == "large")
        #expect(try fixture.shell("head -1 '\(whole.path)/Fixtures/pointer.txt'").hasPrefix("version https"))
    }

    @Test func submodulesAreReadAtTheCommitThatTheParentNames() throws {
        let fixture = try GitFixture()
        let inner = "\(fixture.temporary.path)/inner"
        try fixture.shell(
            """
            git init -q '\(inner)'; cd '\(inner)'; echo one > file.c; echo t > t.tmp; echo '*.tmp export-ignore' > .gitattributes
            git add -A; git commit -qm one; cd -
            git -c protocol.file.allow=always submodule --quiet add '\(inner)' Vendor/inner; echo a > a.swift
            """)
        try fixture.commit("Begin")
        try fixture.shell("cd Vendor/inner; echo two > file.c; git commit -qam two; echo three > file.c")
        let whole = try copy(fixture, "\(fixture.temporary.path)/one")
        #expect(
            whole.exported == [".gitmodules", "Vendor/inner/.gitattributes", "Vendor/inner/file.c", "a.swift"])
        #expect(try fixture.shell("cat '\(whole.path)/Vendor/inner/file.c'") == "one")
        try fixture.shell("git submodule --quiet deinit --force --all")
        let less = try copy(fixture, "\(fixture.temporary.path)/one")
        #expect(less.missing.submodules == ["Vendor/inner"] && less.files == [".gitmodules", "a.swift"])
    }

    @Test func buildsOfOtherDirectoriesAreRemoved() throws {
        let fixture = try GitFixture()
        try fixture.write("let one = 1\n", to: "a.swift")
        try fixture.commit("Begin")
        let here = "\(fixture.temporary.path)/here"
        let there = "\(fixture.temporary.path)/there"
        #expect(try builtFiles(in: fixture, here) == "none")
        try fixture.shell("mkdir '\(here)/Shape/.build' && touch '\(here)/Shape/.build/object'")
        #expect(try builtFiles(in: fixture, here) == "object")

        try fixture.shell("mv '\(here)' '\(there)'")
        #expect(try builtFiles(in: fixture, there) == "none")
        try fixture.shell("mkdir '\(there)/Shape/.build' && touch '\(there)/Shape/.build/object'")
        #expect(try builtFiles(in: fixture, there) == "object")
    }
}
