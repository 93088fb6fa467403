import Git
import OperatingSystem
import TestSupport
import Testing

@Suite(.startsPrograms) struct OldGitTests {
    /// Versions before 2.31 print an option that they don't know.
    @Test func theVersionIsNamed() throws {
        let fixture = try GitFixture()
        try fixture.write("x", to: ".gitattributes")
        try fixture.git("add -A")
        try fixture.git("commit --quiet -m x")
        let script = """
            #!/bin/sh
            case " $* " in *" --version "*) echo git version 2.30.2; exit ;; esac
            for word; do [ "$word" != --path-format=absolute ] || echo "$word"; done
            PATH='\(fixture.environment["PATH"] ?? "")' exec git "$@"
            """
        try fixture.temporary.write(script, to: "bin/git", mode: 0o755)
        var environment = fixture.environment
        environment["PATH"] = "\(fixture.temporary.path)/bin"
        let git = Git(in: fixture.path, environment: environment, processes: ChildRunner())
        let failure = OperationFailure(status: 69, "git version 2.30.2 is too old: expected >= 2.31")
        #expect(throws: failure) { try Repository.find(git) }
        #expect(throws: failure) { try Repository.findWithHead(git) }
    }
}
