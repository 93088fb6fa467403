import CLibrary
import OperatingSystem

/// A git repository in a temporary directory, independent of the configuration of the machine and the user.
///
/// The checkout is `<temporary>/<name>`. All commits have the same author. Their times depend only on their order.
package final class GitFixture: Sendable {
    package let temporary: TemporaryDirectory
    /// The checkout.
    package let path: String
    /// The environment of child processes: a search path, an empty home directory, a fixed identity and configuration.
    package let environment: [String: String]

    /// Variables that make git ignore the configuration of the machine and the user.
    package static let isolation = [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada Example",
        "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada Example",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
    ]

    /// - Parameter builds: The name under which its builds are kept for the next run of the tests.
    package init(_ name: String = "sample", keepingBuildsAs builds: String? = nil) throws {
        temporary = try builds.map(TemporaryDirectory.init(keepingBuildsAs:)) ?? TemporaryDirectory()
        path = "\(temporary.path)/\(name)"
        try temporary.write(
            """
            [user]
            \tname = Ada Example
            \temail = ada@example.org
            [init]
            \tdefaultBranch = main

            """, to: "home/.gitconfig")
        try temporary.write("", to: "\(name)/.keep")
        environment = [
            "PATH": buildEnvironment()["PATH"] ?? "/usr/bin:/bin",
            "HOME": "\(temporary.path)/home",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "\(temporary.path)/home/.gitconfig",
            // Without sample hooks, `git init` and copies of a repository write fewer files.
            "GIT_TEMPLATE_DIR": "",
            "TZ": "UTC",
        ]
        unlink("\(path)/.keep")
        try git("init --quiet")
    }

    /// Runs `git` with shell words in the checkout, and returns its output without the last line feed.
    @discardableResult
    package func git(_ words: String, at seconds: Int = 1_700_000_000) throws -> String {
        try shell("export GIT_AUTHOR_DATE='@\(seconds) +0000' GIT_COMMITTER_DATE='@\(seconds) +0000'; git \(words)")
    }

    /// Runs a shell script in the checkout. Throws an error with its output if it fails.
    @discardableResult
    package func shell(_ script: String) throws -> String {
        let run = try ChildRunner().capture(
            Command("sh", ["-c", "exec 2>&1\n\(script)"], environment: environment, directory: path))
        var text = run.text
        guard run.report.succeeded else { throw GitFixtureFailure(description: "\(script): \(text)") }
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// Writes a file to the checkout.
    package func write(_ text: String, to file: String) throws {
        try temporary.write(text, to: "\(relativeCheckout)/\(file)")
    }

    package func read(_ file: String) throws -> String {
        try temporary.read("\(relativeCheckout)/\(file)")
    }

    /// Commits everything in the checkout.
    package func commit(_ message: String, at seconds: Int = 1_700_000_000) throws {
        try git("add --all && git commit --quiet --allow-empty -m \(word(message))", at: seconds)
    }

    /// Everything that a release may change: HEAD, references, the status of the checkout, and all files with their contents.
    package func state() throws -> String {
        let lines = try shell(
            """
            git for-each-ref
            git status --porcelain=v2 --branch --untracked-files=all
            find . -path ./.git -prune -o -type f -exec sha256sum {} +
            for lock in .git/*.lock; do [ ! -e "$lock" ] || echo "$lock"; done
            """)
        return lines.split(separator: "\n").sorted().joined(separator: "\n")
    }

    /// Returns the text as a quoted shell word.
    private func word(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private var relativeCheckout: String { String(path.dropFirst(temporary.path.count + 1)) }
}

package struct GitFixtureFailure: Error, CustomStringConvertible {
    package let description: String
}
