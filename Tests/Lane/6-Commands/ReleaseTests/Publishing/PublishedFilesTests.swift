import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import Release

/// Tests of the files that `publish` uploads, and of those that make it fail before the first request.
@Suite(.startsPrograms, .enabled(if: hasTool("curl"), "needs curl")) struct PublishedFilesTests {
    /// A script, the files of the step, and the error.
    @Test(
        arguments: [
            (
                "echo other > dist/sample-0.2.0.json", nil,
                "'dist/sample-0.2.0.json' was changed after it was created: expected the SHA-256"
            ),
            (
                "printf 'ARCHIVE\\n' > dist/sample-0.2.0-linux.tar.gz; cd dist; sha256sum *0.2.0-linux.tar.gz > sample-0.2.0-linux.tar.gz.sha256",
                nil, "2 problems\n- 'dist/sample-0.2.0-linux.tar.gz' was changed after it was created"
            ),
            (
                "rm dist/sample-0.2.0.json", nil,
                "'dist/sample-0.2.0.json' was created for 0.2.0 but does not exist\nhint: package it again"
            ),
            (
                "echo more > dist/sample-0.2.0-more.zip", nil,
                "'dist/sample-0.2.0-more.zip' was not created by 'package' or 'checksum' for 0.2.0\n"
                    + "hint: add it to 'files', or remove it"
            ),
            (
                "ln -s /etc/hostname dist/sample-0.2.0-link.txt", nil,
                "'dist/sample-0.2.0-link.txt' was not created by 'package' or 'checksum' for 0.2.0"
            ),
            (
                "mv dist/sample-0.2.0.json a.json; ln -s ../a.json dist/sample-0.2.0.json", nil,
                "'dist/sample-0.2.0.json' is a link\nhint: add it to 'files' to upload it"
            ),
            ("ln -s /etc/hostname dist/link.txt", "dist/*.txt", "'dist/link.txt' is a link"),
            (
                "git commit -q --allow-empty -m more; git tag -f -a -m Release 0.2.0", nil,
                "'dist/sample-0.2.0-linux.tar.gz' was created from the commit "
            ),
            ("git tag -d 0.2.0; git tag 0.3.0", "dist/*0.2.0*", "was created for 0.2.0, not for 0.3.0"),
            ("rm dist/*.manifest.json", nil, "3 problems\n- 'dist/sample-0.2.0-linux.tar.gz' was not created by"),
            ("echo '{}' > dist/sample-0.2.0.manifest.json", nil, "4 problems\n- "),
            (
                "cd dist; echo new > new.txt; sha256sum new.txt > new.txt.sha256; echo more >> new.txt",
                "dist/new.txt*",
                "'dist/new.txt' was changed: expected the SHA-256 "
            ),
            (
                "echo new > dist/new.txt; sha256sum dist/new.txt > dist/SHA256SUMS", "dist/SHA256SUMS",
                "'dist/dist/new.txt' is missing, but 'dist/SHA256SUMS' lists it"
            ),
        ] as [(String, String?, String)])
    func refusals(script: String, files: String?, message: String) throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell(script)
        let failure = fixture.refusal(files.map { ["files": .string($0)] } ?? [:])
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "nothing")")
        #expect(failure?.status == 65)
        #expect(fixture.gitHub.state.log.isEmpty)
    }

    @Test func listedFilesAreUploaded() throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell("echo more > dist/more.txt; ln -s more.txt dist/link.txt")
        let files: [Value] = ["dist/sample-0.2.0-linux*", "dist/*.json", "dist/more.txt", "dist/link.txt"].map {
            .string($0)
        }
        try fixture.publish(["files": .list(files)])
        #expect(
            fixture.release?.assets.map(\.name).sorted() == (["link.txt", "more.txt"] + PublishFixture.files).sorted())
    }

    /// Changes of committed files, or additional files, that git does not show.
    static let changes = [
        "echo other > file.txt", "git update-index --assume-unchanged file.txt; echo other > file.txt",
        "git update-index --skip-worktree file.txt; echo other > file.txt",
        "git config core.ignoreStat true; git update-index --really-refresh; echo other > file.txt",
        "cp -p file.txt ../same; printf 'ONE\\n' > file.txt; touch -r ../same file.txt",
        "chmod +x file.txt", "rm file.txt", "echo new > new.txt",
        "git config status.showUntrackedFiles no; echo new > new.txt", "git sparse-checkout set --no-cone /other.txt",
        "echo other > file.txt; git add file.txt", "mv file.txt x; ln -s x file.txt",
    ]

    @Test(arguments: changes) func filesOfAChangedCheckoutAreRefused(script: String) throws {
        let fixture = try PublishFixture()
        let repository = fixture.repository
        try repository.shell("printf 'one\\n' > file.txt; echo other > other.txt; echo dist/ > .gitignore; rm -r dist")
        try repository.commit("More")
        try repository.git("tag -f -a -m Release 0.2.0; git tag -d 0.2.0-rc.1")
        try repository.shell("mkdir dist; echo archive > dist/sample-0.2.0.zip")
        fixture.gitHub.state.tags["0.2.0"] = try repository.git("rev-parse refs/tags/0.2.0")
        try repository.run(ChecksumAction())
        // Without the change, the file is published.
        if script == Self.changes[0] {
            try fixture.publish(["draft": .bool(true)])
            #expect(fixture.release?.assets.map(\.name) == ["sample-0.2.0.zip", "sample-0.2.0.zip.sha256"])
            fixture.gitHub.beginAgain()
        }

        try repository.shell(script)
        let index = try repository.shell("git ls-files -v --debug")
        try repository.shell("rm dist/*.sha256 dist/*.json")
        try repository.run(ChecksumAction())
        let failure = try #require(fixture.refusal())
        #expect(
            failure.message.contains("'dist/sample-0.2.0.zip' was created in a checkout with changes: "), "\(failure)")
        #expect(fixture.gitHub.state.log.isEmpty)
        #expect(try repository.shell("git ls-files -v --debug") == index)
        #expect(try repository.shell("ls .git").contains("lane-index") == false)
    }

    /// Each keeps the files of the other.
    @Test func severalStepsListTheirFiles() throws {
        let fixture = try PublishFixture()
        let repository = fixture.repository
        try repository.shell("echo dist/ > .gitignore; rm -r dist")
        try repository.commit("More")
        try repository.git("tag -f -a -m Release 0.2.0")
        fixture.gitHub.state.tags["0.2.0"] = try repository.git("rev-parse refs/tags/0.2.0")
        try repository.shell(
            "mkdir dist; echo 1 > dist/a-0.2.0.zip; echo 2 > dist/b-0.2.0.zip; echo 3 > dist/c-0.2.0.zip")
        try PublishFixture.vouch(for: ["a-0.2.0.zip"], in: repository)
        try repository.run(ChecksumAction(), ["files": .list([.string("dist/a-*.zip"), .string("dist/b-*.zip")])])
        try repository.run(ChecksumAction(), ["files": .string("dist/*.zip"), "into": .string("dist/SHA256SUMS")])
        try fixture.publish()
        #expect(
            fixture.release?.assets.map(\.name).sorted() == [
                "SHA256SUMS", "a-0.2.0.zip", "a-0.2.0.zip.sha256", "b-0.2.0.zip", "b-0.2.0.zip.sha256", "c-0.2.0.zip",
            ])
    }

    /// A killed run could not remove the file, and the next one would not find it.
    @Test func nothingIsKeptInTheTemporaryDirectory() throws {
        let fixture = try PublishFixture()
        let scratch = ".build/lane-publish/release-1"
        try fixture.repository.shell("mkdir -p ../tmp \(scratch); echo left > \(scratch)/left-by-a-killed-run")
        let seen = Mutex<[String]>([])
        fixture.gitHub.fault { [repository = fixture.repository] _, _ in
            let files = (try? repository.shell("ls -A ../tmp | sed s,^,../tmp/,; ls -A \(scratch)")) ?? "?"
            seen.withLock { $0.append(files) }
            return nil
        }
        try fixture.publish(environment: ["TMPDIR": "\(fixture.repository.temporary.path)/tmp"])
        let found = seen.withLock { $0 }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.split(separator: "\n").allSatisfy { $0.hasPrefix("request.") } }, "\(found)")
        #expect(try fixture.repository.shell("ls -A ../tmp .build/lane-publish") == "../tmp:\n\n.build/lane-publish:")
    }
}
