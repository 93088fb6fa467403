import Git
import OperatingSystem
import TestSupport
import Testing

@testable import RemoteLanes

/// Tests with real repositories, which `git` fetches from the disk.
@Suite struct SourceCacheTests {
    @Test func updatesToTheLatestAcceptedVersion() throws {
        let fixture = try SourceFixture()
        try fixture.release(["lint.yml": "steps: []\n", "actions/send": "#!/bin/sh\n"], tag: "v1.2.0")
        let first = try fixture.update(.version("1"))
        #expect(first.new.tag == "v1.2.0")
        #expect(first.files?.map { "\($0.change.rawValue) \($0.path)" } == ["A actions/send", "A lint.yml"])
        try fixture.release(
            ["lint.yml": "steps: [{ run: x }]\n", "new.yml": "steps: []\n"], tag: "1.10.0", annotated: true)
        for tag in ["1.9.0", "2.0.0", "1.11.0-beta.1", "v1.x"] { try fixture.remote.git("tag \(tag)") }
        try fixture.remote.git("rm -q Lanes/actions/send")
        try fixture.release([:], tag: "1.10.1")
        let second = try fixture.update(.version("1"), from: first.new)
        #expect(second.new.tag == "1.10.1")
        #expect(
            second.files?.map { "\($0.change.rawValue) \($0.path)" } == ["M lint.yml", "A new.yml", "D actions/send"])
        #expect(try fixture.update(.version("1.10.0")).new.tag == "1.10.0")
        #expect(try fixture.update(.version("1"), from: second.new).isUnchanged)
        #expect(throws: OperationFailure.self) { try fixture.update(.version("3")) }
        #expect(throws: OperationFailure.self) { try fixture.update(.branch("none")) }
    }

    @Test func updatesShowChangedModes() throws {
        let fixture = try SourceFixture()
        try fixture.release(["actions/send": "#!/bin/sh\n", "actions/data": ""], tag: "1.0.0")
        try fixture.shell("chmod +x Lanes/actions/send")
        try fixture.release([:], tag: "1.0.1")
        let first = try fixture.update(.version("1")).new
        try fixture.shell("chmod -x Lanes/actions/send; chmod +x Lanes/actions/data")
        try fixture.release([:], tag: "1.0.2")
        let second = try fixture.update(.version("1"), from: first)
        #expect(second.new.sha256 == first.sha256 && !second.isUnchanged)
        #expect(
            second.files?.map { "\($0.path) \($0.isExecutable.map(String.init) ?? "")" } == [
                "actions/data true", "actions/send false",
            ])
    }

    @Test func digestIsThatOfTheDocumentedCommands() throws {
        let fixture = try SourceFixture()
        try fixture.release(["b.yml": "b\n", "a/z": "z\n", "a.yml": "", "a-b": "x"], tag: "1.0.0")
        let shell = try fixture.remote.shell("find Lanes -type f | LC_ALL=C sort | xargs sha256sum | sha256sum")
        #expect(shell.hasPrefix(try fixture.update(.branch("main")).new.sha256))
    }

    @Test func fetchesWhatIsMissingOrDamaged() throws {
        let fixture = try SourceFixture()
        try fixture.release(["lint.yml": "steps: []\n"], tag: "1.0.0")
        let locked = try fixture.update(.version("1")).new
        let directory = fixture.cache.directory("shared", at: locked.commit)
        #expect(fixture.cache.state(of: locked) == .valid)
        for damage in [
            "echo >> lint.yml", "echo > more.yml", "rm lint.yml", "ln -s /etc/hostname link", "mv lint.yml Lint.yml",
        ] {
            try fixture.shell("cd '\(directory)' && \(damage)")
            #expect(fixture.cache.state(of: locked) == .damaged, "\(damage)")
            try fixture.cache.fetch(locked)
            #expect(fixture.cache.state(of: locked) == .valid, "\(damage)")
        }
        try removeTree(directory)
        #expect(fixture.cache.state(of: locked) == .missing)
        // A fetch that was killed leaves an unused directory.
        try makeDirectories("\(parentDirectory(directory))/fetch.killed/tree")
        try fixture.cache.fetch(locked)
        #expect(try listDirectory(parentDirectory(directory)) == [String(locked.commit.prefix(12))])
    }

    @Test func refusesFilesThatDifferFromTheLock() throws {
        let fixture = try SourceFixture()
        try fixture.release(["lint.yml": "steps: []\n"], tag: "1.0.0")
        let new = try fixture.update(.version("1")).new
        let locked = LockedSource(
            name: new.name, url: new.url, requirement: new.requirement, tag: new.tag, commit: new.commit,
            sha256: String(repeating: "0", count: 64))
        let failure = #expect(throws: OperationFailure.self) { try fixture.cache.fetch(locked) }
        #expect(
            failure?.message == """
                the files of 'shared' at \(new.commit.prefix(12)) have the SHA-256 \(new.sha256), and the lock expects \
                \(locked.sha256)
                hint: restore 'Lanes/remote/sources.lock'; the same commit has the same files
                """)
        #expect(fixture.cache.state(of: new) == .valid)
    }

    @Test func reportsRewrittenHistoryAndMissingRemote() throws {
        let fixture = try SourceFixture()
        try fixture.release(["lint.yml": "steps: []\n"], tag: "1.0.0")
        let locked = try fixture.update(.branch("main")).new
        try fixture.remote.shell(
            """
            git tag -d 1.0.0; echo >> Lanes/lint.yml; git commit -q --amend -a -m Other
            git reflog expire --expire=now --all; git gc -q --prune=now
            """)
        try removeTree("\(fixture.root)/.lane")
        let rewritten = #expect(throws: OperationFailure.self) { try fixture.cache.fetch(locked) }
        #expect(
            rewritten?.message == """
                ../sample no longer has the commit \(locked.commit.prefix(12)): its history was rewritten
                hint: use 'lane update'
                """)
        #expect(try fixture.update(.branch("main"), from: locked).files == nil)
        try fixture.shell("mv '\(fixture.remote.path)' '\(fixture.remote.path)-moved'")
        try removeTree("\(fixture.root)/.lane")
        let missing = #expect(throws: OperationFailure.self) { try fixture.cache.fetch(locked) }
        #expect(missing?.message.hasPrefix("git fetch ../sample failed: ") == true, "\(missing?.message ?? "")")
    }

    @Test(arguments: [
        ("ln -s ../secret Lanes/link", "'Lanes/link' is a symbolic link; sources can only contain files"),
        (#"echo > 'Lanes/a\b'"#, #"'Lanes/a\b' is not a valid path in a source"#),
        ("git rm -qr Lanes", "the repository has no directory 'Lanes' at <hash>"),
    ])
    func refusesUnsafeRepositories(_ script: String, _ message: String) throws {
        let fixture = try SourceFixture()
        try fixture.release(["lint.yml": "steps: []\n"], tag: "1.0.0")
        try fixture.remote.shell(script)
        try fixture.remote.commit("Unsafe")
        let failure = #expect(throws: OperationFailure.self) { try fixture.update(.branch("main")) }
        #expect(redacted(failure?.message ?? "") == message)
    }
}

/// A package without files beside a repository with lanes.
private struct SourceFixture {
    let remote: GitFixture
    let root: String
    let cache: SourceCache

    init() throws {
        remote = try GitFixture()
        root = "\(remote.temporary.path)/app"
        try makeDirectories(root)
        cache = SourceCache(
            root: root, git: Git(in: root, environment: remote.environment, processes: ChildRunner()))
    }

    func release(_ files: [String: String], tag: String, annotated: Bool = false) throws {
        for (path, text) in files { try remote.write(text, to: "Lanes/\(path)") }
        try remote.commit("Release")
        try remote.git(annotated ? "tag -a -m Release \(tag)" : "tag \(tag)")
    }

    @discardableResult
    func update(_ requirement: SourceRequirement, from old: LockedSource? = nil) throws -> SourceUpdate {
        try SourceUpdate(
            of: LaneSource(name: "shared", url: "../sample", requirement: requirement, span: nil), from: old, in: cache)
    }

    func shell(_ script: String) throws { try remote.shell(script) }
}
