import TestSupport
import Testing

/// Tests that `ci/api` finds the release to compare with, and says so if there is none. A fake `swift` prints its arguments.
@Suite("The public API is compared with the last release")
struct APIScriptTests {
    private let fixture: GitFixture

    init() throws {
        fixture = try GitFixture()
        try fixture.temporary.write(Repository.text("ci/api"), to: "sample/ci/api", mode: 0o755)
        try fixture.temporary.write("#!/bin/sh\necho \"swift $*\"\n", to: "bin/swift", mode: 0o755)
        try fixture.git("add . && git commit --quiet -m one")
    }

    private func api(_ words: String = "", in directory: String = ".") throws -> String {
        try fixture.shell("cd \(directory) && PATH=\"../bin:$PATH\" ci/api \(words) 2>&1 || echo \"status $?\"")
    }

    private let comparison = "swift package --scratch-path .build/api diagnose-api-breaking-changes"

    @Test("Without a release it reports that there is none")
    func noRelease() throws {
        #expect(try api() == "ci/api: there is no release yet, so nothing to compare with")
    }

    @Test("The baseline is the last release before HEAD, or the one that is named")
    func lastRelease() throws {
        try fixture.shell("git tag 1.0.0 && git commit --quiet --allow-empty -m two && git tag v1.1.0")
        try fixture.shell("git tag latest && git commit --quiet --allow-empty -m three")
        #expect(try api() == "\(comparison) v1.1.0 --products Tracer --products TracerViews")
        #expect(try api("1.0.0") == "\(comparison) 1.0.0 --products Tracer --products TracerViews")
        try fixture.temporary.write("what is meant", to: "sample/ci/api-breaks.txt")
        #expect(
            try api() == """
                \(comparison) v1.1.0 --products Tracer --products TracerViews \
                --breakage-allowlist-path ci/api-breaks.txt
                """)
    }

    @Test("A clone without tags fails, and so does a directory that is not a checkout")
    func unknown() throws {
        try fixture.shell("git tag v1.0.0 && git commit --quiet --allow-empty -m two")
        try fixture.shell("git clone --quiet --depth 1 --no-tags \"file://$PWD\" ../shallow")
        #expect(try api(in: "../shallow").hasSuffix("git fetch --tags --unshallow gets them\nstatus 69"))
        try fixture.shell("rm -rf ../shallow/.git")
        #expect(try api(in: "../shallow").hasSuffix("status 128"))
    }
}
