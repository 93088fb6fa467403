import Git
import OperatingSystem
import TestSupport
import Testing

@testable import Release

@Suite(.startsPrograms) struct TreeChangeTests {
    @Test("A link that the user has changed is kept", arguments: [("old", true), ("new", true), ("other", false)])
    func links(target: String, isUntouched: Bool) throws {
        let fixture = try GitFixture()
        try fixture.shell("ln -s old link; git add link")
        try fixture.commit("old")
        try fixture.shell("ln -sfn new link; git add link")
        try fixture.commit("new")
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        let change = try #require(try TreeChange.between("HEAD~1", "HEAD", git: git).first { $0.path == "link" })
        try fixture.shell("ln -sfn \(target) link")
        #expect(try change.isUntouched(in: git) == isUntouched)
    }
}
