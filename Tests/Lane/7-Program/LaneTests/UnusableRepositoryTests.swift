import OperatingSystem
import TestSupport
import Testing
import Text

/// Checkouts whose repository git refuses or does not find.
@Suite struct UnusableRepositoryTests {
    @Test(arguments: [
        "fatal: detected dubious ownership in repository at '/src'\nTo add an exception …",
        "fatal: unsafe repository ('/src' is owned by someone else)",
    ])
    func gitDoesNotTrustTheDirectory(_ message: String) throws {
        var session = try Session([
            "Package.swift": "", "Lanes/a.yml": "steps: [run: 'echo ${{ git.branch }}']\n",
            "Lanes/b.yml": "steps: [require: { clean: true }]\n",
        ])
        try session.directory.write(
            "#!/bin/sh\ncat >&2 <<'END'\n\(message)\nEND\nexit 128\n", to: "bin/git", mode: 0o755)
        session.processes = ChildRunner()
        session.environment["PATH"] = "\(session.directory.path)/bin:/usr/bin:/bin"
        for words in [["a"], ["b"], ["init"], ["doctor"]] {
            let outcome = try session.run(words)
            for text in ["git does not trust '/src'", "git config --global --add safe.directory '/src'"] {
                #expect((outcome.errors + outcome.output).contains(text), "\(words): \(outcome.transcript)")
            }
            #expect(!outcome.output.contains("default(git.branch"), "\(outcome.transcript)")
        }
    }

    /// A container that mounts only a worktree or a submodule has no repository.
    @Test func theRepositoryOfAWorktreeIsMissing() throws {
        var session = try Session([
            ".git": "gitdir: ../missing/.git/worktrees/a\n", "Package.swift": "",
            "Lanes/a.yml": "steps: [run: 'echo ${{ git.branch }}']\n",
            "Lanes/b.yml": "steps: [require: { clean: true }]\n", "Lanes/c.yml": "steps: [changelog: {}]\n",
        ])
        session.processes = ChildRunner()
        for words in [["a"], ["b"], ["c"], ["init"], ["doctor"]] {
            let outcome = try session.run(words)
            let text = "../missing/.git/worktrees/a', which does not exist here"
            #expect((outcome.errors + outcome.output).contains(text), "\(words): \(outcome.transcript)")
            #expect(!outcome.transcript.contains("git init"), "\(words): \(outcome.transcript)")
        }
    }
}
