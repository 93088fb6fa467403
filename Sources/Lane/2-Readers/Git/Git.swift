package import OperatingSystem
import Text

/// The `git` command in a directory. Its environment excludes the variables of an enclosing hook and the user's
/// language.
package struct Git: Sendable {
    /// The directory in which git runs.
    package let directory: String
    private let environment: [String: String]
    private let processes: any ProcessRunner

    /// Creates the command for a directory from the environment of a process.
    package init(in directory: String, environment: [String: String], processes: any ProcessRunner) {
        self.directory = directory
        self.processes = processes
        self.environment = gitEnvironment(environment)
    }

    /// Returns the command for another directory.
    package func inside(_ directory: String) -> Git {
        Git(in: directory, environment: environment, processes: processes)
    }

    /// Returns the command in the same directory with other values of environment variables.
    func with(_ variables: [String: String]) -> Git {
        Git(in: directory, environment: environment.merging(variables) { $1 }, processes: processes)
    }

    /// Returns git in a submodule, or `nil` if it is not checked out.
    func submodule(at path: String) -> Git? {
        let submodule = "\(directory)/\(path)"
        return fileKind("\(submodule)/.git") == nil ? nil : inside(submodule)
    }

    package subscript(variable name: String) -> String? { environment[name] }

    /// The options of all commands. Maintenance, which `commit` and `fetch` start, could leave its lock file when it is
    /// killed, and git then never maintains the repository again.
    private static let options = ["--no-pager", "-c", "maintenance.auto=false"]

    /// The oldest sufficient version.
    package static let requirement = ">= 2.31"

    /// The first option of a command that older versions don't know. They print it.
    static let absolutePaths = "--path-format=absolute"

    /// Returns the failure of a version that printed an option which it doesn't know.
    func tooOld() throws(OperationFailure) -> OperationFailure {
        OperationFailure(
            status: ExitStatus.toolMissing.rawValue,
            "\(try text(["--version"])) is too old: expected \(Self.requirement)")
    }

    /// Runs git and returns its result regardless of the exit status. Throws a failure if git cannot use the repository.
    package func attempt(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(OperationFailure) -> CapturedRun {
        let run = try capture(
            "git", Self.options + arguments, input: input, settings: settings, purpose: "lane needs git here")
        if !run.report.succeeded, let failure = Self.unusable(in: run.errorText) { throw failure }
        return run
    }

    /// Runs git and throws a failure with its output if it fails.
    @discardableResult
    package func run(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(OperationFailure) -> CapturedRun {
        let run = try attempt(arguments, input: input, settings: settings)
        guard run.report.succeeded else { throw OperationFailure(of: "git \(Self.name(of: arguments))", run) }
        return run
    }

    /// Returns the command in arguments that may begin with settings such as `-c a.b=c`.
    private static func name(of arguments: [String]) -> String {
        var rest = arguments[...]
        while rest.first == "-c" { rest = rest.dropFirst(2) }
        return rest.first ?? ""
    }

    /// Returns the output of git without its last line break.
    package func text(_ arguments: [String]) throws(OperationFailure) -> String {
        let text = try run(arguments).text
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Runs a shell script in the same environment, for work that must continue after the end of `lane`.
    package func shell(_ script: String) throws(OperationFailure) -> CapturedRun {
        try capture("sh", ["-c", script], purpose: "a POSIX shell is needed for releases")
    }

    /// Runs a program in the environment of git. Throws a failure with the purpose if it is not installed.
    func capture(
        _ executable: String, _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:],
        purpose: String
    ) throws(OperationFailure) -> CapturedRun {
        let command = Command(
            executable, arguments, environment: environment.merging(settings) { $1 }, directory: directory,
            input: input.map { .bytes($0) } ?? .nothing)
        return try convertingSpawnErrors(neededFor: purpose, of: processes.capture(command))
    }
}

/// The variables that select a repository, its index or its objects. git sets some of them for its hooks.
package let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_CONFIG", "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_IMPLICIT_WORK_TREE",
]

/// Returns an environment in which `git` works on the current directory and prints English messages, regardless of an
/// enclosing hook and the user's variables.
package func gitEnvironment(_ environment: [String: String]) -> [String: String] {
    var own = environment
    let output = [
        "GIT_EXTERNAL_DIFF", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
    ]
    for name in repositoryVariables + output { own[name] = nil }
    own["LC_ALL"] = "C"
    own["GIT_TERMINAL_PROMPT"] = "0"
    own["GIT_OPTIONAL_LOCKS"] = "0"
    own["GIT_EDITOR"] = "true"
    return own
}

extension Git {
    /// Returns the failure of a command that git refuses because the repository belongs to another user, or is not where
    /// the file `.git` of a worktree or submodule says, or `nil` if the message is another one. Both are common in
    /// containers, whose checkout often belongs to a user of the host, and which may have a part of the repository.
    package static func unusable(in message: String) -> OperationFailure? {
        guard let first = message.lines.first(where: { $0.hasPrefix("fatal: ") }) else { return nil }
        let start = "fatal: not a git repository: "
        if first.hasPrefix(start) {
            return .refused([
                "the file '.git' names the repository '\(first.dropFirst(start.count))', which does not exist here\n"
                    + "hint: '--in docker' mounts it; outside a container, use 'git worktree repair' in its checkout"
            ])
        }
        guard ["dubious ownership", "unsafe repository"].contains(where: { first.contains($0) }) else { return nil }
        // git before 2.38 appends "is owned by someone else" to the path.
        let path = first.split(separator: "'").dropFirst().first?.parts(separatedBy: " is owned by ").first ?? "*"
        return .refused([
            "git does not trust '\(path)' because it belongs to another user\n"
                + "hint: git config --global --add safe.directory '\(path)'"
        ])
    }

    /// Returns the failure of a command that creates a commit or a tag. The message names a hook or the signature if it
    /// is the cause.
    package func failure(of command: String, _ run: CapturedRun, making object: String, hooks: [String] = [])
        -> OperationFailure
    {
        let plain = OperationFailure(of: command, run)
        guard run.report.stoppedBy == nil else { return plain }
        let message = Self.message(of: run)
        if concernsSigning(message) {
            return OperationFailure("the \(object) could not be signed: \(message)\nhint: git config user.signingKey")
        }
        return refusal(by: hooks, of: object, run).map { OperationFailure($0) } ?? plain
    }

    /// Returns the message of a hook that refused a command, or `nil` if there is none.
    package func refusal(by hooks: [String], of object: String, _ run: CapturedRun) -> String? {
        let message = Self.message(of: run)
        let present = hooks.filter(hasHook)
        guard run.report.stoppedBy == nil, !present.isEmpty, !message.contains("fatal: ") else { return nil }
        let names = list(present.map { "'\($0)'" })
        return "a hook of the repository refused the \(object) (\(names)): "
            + (message.isEmpty ? "status \(run.report.status)" : message)
    }

    private static func message(of run: CapturedRun) -> String {
        run.errorText.lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func concernsSigning(_ text: String) -> Bool {
        if text.contains("failed to sign") || text.contains("unable to sign") { return true }
        guard text.contains("failed to write commit object") else { return false }
        return (try? self.text(["config", "--get", "--type=bool", "commit.gpgSign"])) == "true"
    }

    private func hasHook(_ name: String) -> Bool {
        guard let path = try? text(["rev-parse", "--git-path", "hooks/\(name)"]) else { return false }
        return fileExists(absolutePath(path, from: directory))
    }
}
