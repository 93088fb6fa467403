import Git
import OperatingSystem
import TestSupport
import Testing

@Suite("Git does not maintain the repository during a run")
struct MaintenanceTests {
    /// A repository that git repacks at the next occasion.
    private func due() throws -> GitFixture {
        let fixture = try GitFixture()
        for number in 1...3 {
            try fixture.commit("\(number)")
            try fixture.git("repack --quiet")
        }
        try fixture.git("config gc.autoPackLimit 1")
        try fixture.git("config gc.autoDetach false")
        return fixture
    }

    private func packs(_ fixture: GitFixture) throws -> Int {
        try fixture.shell("ls .git/objects/pack/*.pack").split(separator: "\n").count
    }

    @Test(arguments: [["commit", "--quiet", "--allow-empty", "--message=next"], ["fetch", "--quiet", ".", "HEAD"]])
    func packsStay(command: [String]) throws {
        let fixture = try due()
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        try git.run(command)
        #expect(try packs(fixture) == 3)
        // The same command repacks for a user.
        try fixture.git(command.joined(separator: " "))
        #expect(try packs(fixture) == 1)
    }
}
