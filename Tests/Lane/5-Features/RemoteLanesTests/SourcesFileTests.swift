import TestSupport
import Testing
import Text

@testable import RemoteLanes

@Suite struct SourcesFileTests {
    @Test func readsAllRequirements() {
        let commit = String(repeating: "a1", count: 20)
        let (sources, diagnostics) = read(
            """
            sources:
              first: { url: "https://host.example/owner/lanes.git", version: "1.10" }
              second: { url: "git@host.example:owner/lanes.git", branch: main }
              third: { url: ../lanes, commit: \(commit) }
            """)
        #expect(diagnostics.all.isEmpty)
        #expect(sources.map(\.name) == ["first", "second", "third"])
        #expect(sources.map(\.requirement) == [.version("1.10"), .branch("main"), .commit(commit)])
    }

    /// The marks are the locations of the errors.
    @Test(arguments: [
        ("sources: { «a/b»: { url: ../x, branch: main } }", "'a/b' is not a valid name for a source"),
        (
            "sources: { «a»: { url: ../x } }",
            "expected one of 'version', 'branch' and 'commit' in source 'a', found none"
        ),
        (
            "sources: { «a»: { url: ../x, branch: main, version: 1 } }",
            "expected one of 'version', 'branch' and 'commit' in source 'a', found 'version' and 'branch'"
        ),
        ("sources: { a: { url: ../x, version: «1.x» } }", "'1.x' is not a version"),
        ("sources: { a: { url: ../x, commit: «abc» } }", "'abc' is not a commit"),
        ("sources: { a: { url: «lanes», branch: main } }", "'lanes' is not an address of a git repository"),
        (
            "sources: { a: { url: «--upload-pack=x:y», branch: main } }",
            "'--upload-pack=x:y' is not an address of a git repository"
        ),
        (
            #"sources: { a: { url: «"ext::sh -c x"», branch: main } }"#,
            "'ext::sh -c x' is not an address of a git repository"
        ),
        (
            #"sources: { a: { url: «"https://me:secret@host.example/x"», branch: main } }"#,
            "the address contains a password"
        ),
        ("sources: { a: { url: ../x, «brunch»: main, branch: main } }", "unknown setting 'brunch'"),
    ])
    func reportsErrors(_ marked: String, _ message: String) {
        let text = MarkedText(marked)
        let found = read(text.text).diagnostics.all
        #expect(found.map(\.span?.range) == text.ranges)
        #expect(found.first?.message.hasPrefix(message) == true, "\(found.map(\.message))")
    }

    private func read(_ text: String) -> (sources: [LaneSource], diagnostics: Diagnostics) {
        SourcesFile.read(SourceFile(path: SourcesFile.path, text: text))
    }
}

@Suite struct SourcesLockTests {
    private static let entry = LockedSource(
        name: "shared", url: "../lanes", requirement: .version("1.4"), tag: "v1.4.2",
        commit: String(repeating: "0f", count: 20), sha256: String(repeating: "1e", count: 32))

    @Test func lockFilesRoundTrip() throws {
        let other = LockedSource(
            name: "a", url: "../other", requirement: .branch("main"), tag: nil, commit: Self.entry.commit,
            sha256: Self.entry.sha256)
        let lock = SourcesLock([Self.entry, other])
        #expect(lock.sources.map(\.name) == ["a", "shared"])
        #expect(try SourcesLock.read(SourceFile(path: SourcesLock.path, text: lock.text)) == lock)
    }

    @Test(arguments: [
        ("<<<<<<< HEAD", "expected a value"), (#"{"version": 2, "sources": []}"#, "expected version 1"),
        (#"{"version": 1, "sources": [{"name": "a"}]}"#, "invalid source"),
    ])
    func rejectsDamagedFiles(_ text: String, _ message: String) {
        let error = #expect(throws: Diagnostic.self) {
            try SourcesLock.read(SourceFile(path: SourcesLock.path, text: text))
        }
        #expect(error?.message.hasPrefix(message) == true)
        #expect(error?.span != nil)
    }

    @Test func reportsDrift() throws {
        let file = SourceFile(path: SourcesFile.path, text: "")
        func package(_ sources: [LaneSource]) -> PackageSources {
            PackageSources(sources, lock: SourcesLock([Self.entry]), file: file)
        }
        let same = LaneSource(name: "shared", url: "../lanes", requirement: .version("1.4"), span: nil)
        #expect(try package([same]).locked(same) == Self.entry)
        for (source, message) in [
            (LaneSource(name: "shared", url: "../lanes", requirement: .branch("main"), span: nil), "for version 1.4"),
            (LaneSource(name: "shared", url: "../moved", requirement: .version("1.4"), span: nil), "from '../lanes'"),
            (
                LaneSource(name: "new", url: "../lanes", requirement: .version("1.4"), span: nil),
                "is not in the lock file"
            ),
        ] {
            let error = #expect(throws: Diagnostic.self) { try package([source]).locked(source) }
            #expect(error?.message.hasSuffix(message) == true)
        }
        #expect(package([same]).unusedEntries.all.isEmpty)
        #expect(
            package([]).unusedEntries.all.map(\.message).first
                == "the lock file has the source 'shared', which is not in this file")
    }
}
