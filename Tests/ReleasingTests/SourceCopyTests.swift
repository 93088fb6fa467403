import LaneRun
import Processes
import TestSupport
import Testing

@testable import Releasing

@Suite struct SourceCopyTests {
    /// Brings the copy up to date and gives what a build left in it before.
    private func leftovers(in fixture: GitFixture, _ folder: String) throws -> String {
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        _ = try SourceCopy.make(of: fixture.path, named: "Shape", in: folder, git: git)
        return try fixture.shell("cd '\(folder)/Shape' && ls .build 2>/dev/null || echo none")
    }

    @Test func aNameThatIsNotUTF8IsRefused() throws {
        let fixture = try GitFixture()
        try fixture.shell("touch a.swift \"$(printf 'caf\\351')\"")
        try fixture.commit("Begin")
        let failure = #expect(throws: StepFailure.self) {
            try leftovers(in: fixture, "\(fixture.temporary.path)/here")
        }
        #expect(
            failure?.message == "the name of 'caf\u{FFFD}' is not UTF-8, so it cannot be packed\nhint: git mv")
        try fixture.shell("rm caf*")
    }

    /// An archive of one commit would depend on who packs it.
    @Test func aSparseCheckoutIsRefused() throws {
        let fixture = try GitFixture()
        try fixture.shell("mkdir Sources Documents; touch Sources/a.swift Documents/b.md Documents/c.md")
        try fixture.commit("Begin")
        let folder = "\(fixture.temporary.path)/here"
        try fixture.git("sparse-checkout set Sources")
        let failure = #expect(throws: StepFailure.self) { try leftovers(in: fixture, folder) }
        #expect(
            failure?.message == "2 files of the commit are not in this sparse checkout, as 'Documents/b.md'\n"
                + "hint: git sparse-checkout disable")
        try fixture.git("sparse-checkout disable")
        try fixture.shell("rm Documents/c.md")
        #expect(try leftovers(in: fixture, folder) == "none")
    }

    @Test func whatWasBuiltElsewhereIsForgotten() throws {
        let fixture = try GitFixture()
        try fixture.write("let one = 1\n", to: "a.swift")
        try fixture.commit("Begin")
        let here = "\(fixture.temporary.path)/here"
        let there = "\(fixture.temporary.path)/there"
        #expect(try leftovers(in: fixture, here) == "none")
        try fixture.shell("mkdir '\(here)/Shape/.build' && touch '\(here)/Shape/.build/object'")
        #expect(try leftovers(in: fixture, here) == "object")

        try fixture.shell("mv '\(here)' '\(there)'")
        #expect(try leftovers(in: fixture, there) == "none")
        try fixture.shell("mkdir '\(there)/Shape/.build' && touch '\(there)/Shape/.build/object'")
        #expect(try leftovers(in: fixture, there) == "object")
    }
}
