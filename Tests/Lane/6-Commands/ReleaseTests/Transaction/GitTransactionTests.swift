import ActionFixtures
import Actions
import OperatingSystem
import Release
import TestSupport
import Testing

@Suite(.startsPrograms) struct GitTransactionTests {
    @Test func nothingShowsUntilItIsReal() throws {
        let fixture = try GitFixture.ready()
        let before = try fixture.state()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        #expect(try fixture.state() == before)
        transaction.abandon()
        transaction.abandon()
        #expect(try fixture.state() == before)
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 1)
        #expect(try fixture.shell("ls .git/lane .git/worktrees 2>/dev/null || true") == ".git/lane:\nbuild\nlock")
    }

    @Test func commitMovesEverythingAtOnce() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.git("status --porcelain") == "")
        #expect(try fixture.read("version.txt") == "version 0.2.0\n")
        #expect(try fixture.read("new/file.txt") == "new\n")
        #expect(try fixture.read("dist/sample.tar.gz") == "archive\n")
        #expect(try fixture.shell("test ! -e old.txt && git fsck --strict 2>&1 && git cat-file -t 0.2.0") == "tag")
        #expect(try fixture.git("rev-parse 0.2.0^{commit} HEAD main | sort -u | wc -l") == "1")
        #expect(try fixture.git("log -1 --format=%s") == "Release 0.2.0")
        #expect(try fixture.git("describe") == "0.2.0")
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 1)
        #expect(try fixture.shell("find .git -name '*.lock'; ls .git/lane") == "lock\nreleased.json")
        #expect(throws: OperationFailure.self) { try transaction.commit() }
    }

    @Test func directoriesMayHaveUnusualNames() throws {
        let fixture = try GitFixture.ready("odd \\ \"\u{301}name\" #;")
        let transaction = try fixture.begin()
        transaction.plan(.tag(name: "0.2.0", message: "Release 0.2.0\n"))
        try transaction.commit()
        #expect(try fixture.git("describe") == "0.2.0")
    }

    /// The next command is in the message.
    @Test(arguments: [
        ("true", ""), ("git remote add origin x", "; nothing is pushed yet: git push --atomic origin main 0.2.0"),
        (
            "git remote add 'my fork' x; git config branch.main.remote 'my fork'",
            "; nothing is pushed yet: git push --atomic 'my fork' main 0.2.0"
        ),
    ])
    func newReferencesAreReported(_ remotes: String, _ advice: String) throws {
        let fixture = try GitFixture.ready()
        try fixture.shell(remotes)
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        let news = try transaction.commit()
        let commit = try fixture.git("rev-parse --short=9 HEAD")
        #expect(news == "'main' is at \(commit) now, with the tag '0.2.0'\(advice)")
    }

    @Test func singleTagsAreReported() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        transaction.plan(.tag(name: "0.1.0", message: "one"))
        let commit = try fixture.git("rev-parse --short=9 HEAD")
        #expect(try transaction.commit() == "the tag '0.1.0' is on \(commit) now")
        #expect(try fixture.begin().commit() == nil)
    }

    /// Git does not fetch from directories by default, so any fetch fails here.
    @Test func submodulesOfTheCheckoutAreNotFetched() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell(
            """
            git init -q ../inner; cd ../inner; echo inner > inner.txt; git add .; git commit -qm inner
            git init -q ../outer; cd ../outer; git -c protocol.file.allow=always submodule --quiet add ../inner in
            git commit -qm outer
            """)
        try fixture.git("-c protocol.file.allow=always submodule --quiet add ../outer 'some module'")
        try fixture.git("-c protocol.file.allow=always submodule --quiet update --init --recursive")
        try fixture.git("commit -qm Modules")
        try fixture.shell(
            "cd 'some module' && git commit -q --allow-empty -m 'not pushed' && cd .. && git commit -qam More")
        let transaction = try fixture.begin()
        #expect(try fixture.shell("cat '\(transaction.directory)/some module/in/inner.txt'") == "inner")
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.git("status --porcelain") == "")
        #expect(try fixture.git("submodule status --recursive | cut -c1").split(separator: "\n") == [" ", " "])
        #expect(
            try fixture.shell("ls .git/lane .git/worktrees 2>/dev/null || true") == ".git/lane:\nlock\nreleased.json")
    }

    @Test func otherChangesInTheCheckoutStay() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try fixture.write("edited meanwhile\n", to: "deep/er/file.txt")
        try fixture.write("untracked\n", to: "mine.txt")
        try transaction.commit()
        #expect(try fixture.git("status --porcelain") == " M deep/er/file.txt\n?? mine.txt")
        #expect(try fixture.read("deep/er/file.txt") == "edited meanwhile\n")
    }

    /// The changes in the checkout during the steps, and the error.
    @Test(arguments: [
        ("echo mine > version.txt", "the checkout was changed meanwhile"),
        ("echo mine > new; git add new", "the checkout was changed meanwhile"),
        ("mkdir new; echo mine > new/file.txt", "the checkout was changed meanwhile"),
        ("git commit -q --allow-empty -m other", "'main' got other commits meanwhile"),
        ("git switch -q -c other", "switched away from 'main'"),
        ("git tag 0.2.0", "the tag '0.2.0' already exists"),
        ("touch .git/index.lock", "git is running in this checkout"),
    ])
    func concurrentChangesAreErrors(script: String, message: String) throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try fixture.shell(script)
        let before = try fixture.state()
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        #expect(failure?.status == 65)
        transaction.abandon()
        #expect(try fixture.state() == before)
    }

    @Test func uncommittedWorkIsNotLostSilently() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.shell("echo changed > '\(transaction.directory)/version.txt'")
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message == "changed but not committed: version.txt")
        transaction.abandon()
    }

    @Test func aVetoOfTheUsersHookLeavesAllAsItWas() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        let hook = ".git/hooks/reference-transaction"
        try fixture.shell(
            "mkdir .git/hooks; printf '#!/bin/sh\\ntest \"$1\" != prepared || { echo no tags today >&2; exit 1; }\\n' > \(hook)"
        )
        try fixture.shell("chmod +x \(hook)")
        let before = try fixture.state()
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message.contains("no tags today") == true, "\(failure?.message ?? "")")
        transaction.abandon()
        #expect(try fixture.state() == before)
    }

    @Test func twoAtOnceAreRefused() throws {
        let fixture = try GitFixture.ready()
        let first = try fixture.begin()
        let failure = #expect(throws: OperationFailure.self) { _ = try fixture.begin() }
        #expect(failure?.message == "another release is running in this repository")
        first.abandon()
        let second = try fixture.begin()
        second.abandon()
    }

    @Test func detachedHeadCannotTakeACommit() throws {
        let fixture = try GitFixture.ready()
        try fixture.git("checkout -q --detach")
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message == "HEAD is detached, so there is no branch for the new commit\nhint: git switch main")
        transaction.abandon()
    }

    @Test func withoutARepositoryOrACommitItSaysSo() throws {
        let fixture = try GitFixture()
        let failure = #expect(throws: OperationFailure.self) { _ = try fixture.begin() }
        #expect(failure?.message.hasPrefix("there is no commit yet") == true)
        let directory = try TemporaryDirectory()
        let other = #expect(throws: OperationFailure.self) {
            _ = try fixture.beginUnbuilt(fixture.git(with: ChildRunner(), in: directory.path))
        }
        #expect(other?.message == "'\(directory.path)' is not in a git repository with a checkout\nhint: git init")
    }

    /// A package in a subdirectory of a repository, in a linked worktree, with a name that needs quotes.
    @Test func packagesBelowTheTopAndLinkedWorktrees() throws {
        let fixture = try GitFixture.ready("it's here")
        try fixture.shell("mkdir -p libs/one; echo 0.1.0 > libs/one/version; git add -A; git commit -q -m one")
        try fixture.shell("git worktree add -q -b side ../linked")
        let root = "\(fixture.temporary.path)/linked/libs/one"
        let transaction = try fixture.beginUnbuilt(fixture.git(with: ChildRunner(), in: root))
        #expect(transaction.directory.hasSuffix("/linked/libs/one"))
        try fixture.shell(
            """
            cd "\(transaction.directory)"
            echo 0.2.0 > version; git commit -q -a -m two; mkdir dist; echo a > dist/a
            """)
        transaction.plan(.tag(name: "one-0.2.0", message: "two"))
        transaction.plan(.keep(relativePath: "dist/a"))
        try transaction.commit()
        #expect(try fixture.shell("cat ../linked/libs/one/version ../linked/libs/one/dist/a") == "0.2.0\na")
        #expect(try fixture.shell("cd ../linked; git status --porcelain; git describe") == "one-0.2.0")
        #expect(try fixture.git("log -1 --format=%s main") == "one")
    }

    /// A directory of the user is neither replaced nor removed.
    @Test(arguments: ["dist/a", "dist/a/b"]) func aDirectoryInPlaceOfAFileIsAnError(directory: String) throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("mkdir -p \(directory); touch \(directory)/x")
        let before = try fixture.state()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        try fixture.shell("mkdir -p '\(transaction.directory)/dist'; echo a > '\(transaction.directory)/dist/a'")
        fixture.planRelease(transaction)
        transaction.plan(.keep(relativePath: "dist/a"))
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message == "could not replace '\(fixture.path)/dist/a': Is a directory")
        transaction.abandon()
        #expect(try fixture.state() == before)
    }

    @Test(.enabled(if: hasTool("ssh-keygen"), "needs ssh-keygen"))
    func tagsAreSignedWhenTheUserWantsIt() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("ssh-keygen -q -t ed25519 -N '' -f ../key")
        try fixture.shell("echo \"ada@example.org $(cat ../key.pub)\" > ../allowed")
        try fixture.shell(
            """
            git config gpg.format ssh; git config tag.gpgSign true; git config commit.gpgSign true
            git config user.signingKey "$PWD/../key"; git config gpg.ssh.allowedSignersFile "$PWD/../allowed"
            """)
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.git("verify-tag 0.2.0 2>&1").contains("Good \"git\" signature"))
        #expect(try fixture.git("verify-commit HEAD 2>&1").contains("Good \"git\" signature"))
    }

    @Test func repositoriesWithLongHashes() throws {
        let fixture = try GitFixture()
        try fixture.shell("rm -rf .git; git init -q --object-format=sha256; echo dist/ > .gitignore; echo a > old.txt")
        try fixture.commit("Begin")
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.git("describe").count == 5)
        #expect(try fixture.git("status --porcelain") == "")
    }

    /// The lock would be free only after a fifth of a second, if its process had been killed.
    @Test func aLaneInThePrivateWorktreeDoesNotWaitForItsTransaction() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        defer { transaction.abandon() }
        let times = try (1...5).map { _ in
            try ContinuousClock().measure {
                let found = try GitTransactionSource().recover(
                    fixture.git(with: ChildRunner(), in: transaction.directory))
                #expect(found == nil)
            }
        }
        #expect(times.contains { $0 < .milliseconds(200) }, "\(times)")
    }
}
