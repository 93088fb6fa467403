import Expressions

/// The schemas of the keys of lane files, for checks, help and the editor schema.
package enum LaneKeys {
    /// The keys of a lane file.
    package static let lane: [SettingSchema] = [
        SettingSchema("summary", .string, "The summary for 'lane list'"),
        SettingSchema("description", .string, "The description for 'lane NAME --help'"),
        SettingSchema("aliases", .list(.string), "Other names for the lane on the command line"),
        SettingSchema("group", .string, "The heading of the lane in 'lane list'"),
        SettingSchema("default", .bool, "Run the lane for 'lane' without a name", default: .bool(false)),
        SettingSchema(
            "confirm", .string,
            "A question before the lane runs; it needs the answer 'y', the option '--yes' or a CI service"),
        SettingSchema("include", .list(.string), "Files with shared keys, whose names start with '_'"),
        SettingSchema("private", .bool, "Only other lanes can run the lane", default: .bool(false)),
        SettingSchema("parameters", .map(.either([kind, .object(parameter)])), "The parameters of the lane"),
        SettingSchema("needs", .list(.either([.string, .object(call)])), "Lanes that must succeed first"),
        SettingSchema("if", .string, "The condition for the lane to run"),
        SettingSchema("matrix", .map(.any), "Lists of values; the lane runs once for each combination"),
        SettingSchema(
            "let", .map(.any),
            "Values, or commands as '{ run: … }' whose outputs are values; computed before the first step"),
        SettingSchema("env", .map(.string), "Environment variables of every step"),
        SettingSchema(
            "directory", .path,
            "The working directory of 'run', 'service' and custom actions, and the package of 'test', relative to the root"
        ),
        SettingSchema("dotenv", .list(.either([.path, .object(dotenv)])), "Files with environment variables"),
        SettingSchema(
            "secrets", .list(.string),
            "Environment variables whose values are masked, and passed only to steps that name them"),
        SettingSchema("timeout", .duration, "The time limit of the lane"),
        SettingSchema("grace", .duration, "The 'grace' of steps without one"),
        SettingSchema(
            "retry", .either([.integer(0...100), .object(retry)]), "The retries of steps without 'retry'"),
        SettingSchema(
            "transaction", .bool, "Run the steps in a private worktree, and apply all changes or none",
            default: .bool(false)),
        SettingSchema(
            "before-all", .list(.step),
            "In '_package.yml' only: steps that run once, before the lanes of a command line"),
        SettingSchema("steps", .list(.step), "The steps of the lane, in order"),
        SettingSchema("then", .list(.step), "Steps that run after the transaction is applied"),
        SettingSchema(
            "on-failure", .list(.step),
            "Steps that run one after another if a step failed; the time limit of each is 10m unless it has a 'timeout'"
        ),
        SettingSchema(
            "always", .list(.step),
            "Steps that run one after another at the end, even after a failure; the time limit of each is 10m unless it has a 'timeout'"
        ),
    ]

    /// The name of the file that all lanes include, and of the lane with its `before-all` steps.
    package static let package = "_package"

    /// The keys that are allowed in an included file.
    static let shared: Set<String> = [
        "include", "parameters", "let", "env", "dotenv", "secrets", "on-failure", "always",
    ]

    /// The keys of a step except its action.
    package static let step: [SettingSchema] = [
        SettingSchema("id", .string, "The name of the step in expressions, such as 'steps.ID.OUTPUT'"),
        SettingSchema("name", .string, "The name of the step in the output"),
        SettingSchema("if", .string, "The condition for the step to run"),
        SettingSchema("parameters", .map(.any), "In a 'lane' step: the values of the lane's parameters"),
        SettingSchema(
            "foreach", .either([.list(.string), .object(items)]),
            "Values, or globs of files; the step runs once for each value or file, which is '${{ item }}'"),
        SettingSchema("env", .map(.string), "Environment variables of the step"),
        SettingSchema(
            "directory", .path,
            "The working directory of 'run', 'service' or a custom action, or the package of 'test', relative to the root; overrides the lane's directory"
        ),
        SettingSchema(
            "secrets", .list(.string), "The lane's secrets that are passed to the step as environment variables"),
        SettingSchema("timeout", .duration, "The time limit of the step"),
        SettingSchema(
            "grace", .duration,
            "The time from the first signal (SIGINT after Ctrl-C, otherwise SIGTERM) to SIGKILL; 5s by default"),
        SettingSchema("retry", .either([.integer(0...100), .object(retry)]), "The retries after a failure"),
        SettingSchema("continue-on-error", .bool, "Continue the lane if the step fails", default: .bool(false)),
        SettingSchema("interactive", .bool, "Connect the step to the terminal", default: .bool(false)),
        SettingSchema(
            "inputs", .list(.either([.string, .object(input)])),
            "Files that the step reads; if none has changed, the step is up to date. A glob or path without a file is an error"
        ),
        SettingSchema(
            "outputs", .list(.string), "Files that the step writes; if one is missing, the step is not up to date"),
        SettingSchema("parallel", .list(.step), "Steps that run in parallel"),
    ]

    /// Keys of other tools with hints that name the equivalent keys.
    static let foreign: [String: String] = [
        "name": "the name of the file is the name of the lane",
        "run": "write it as a step: 'steps: [run: …]'",
        "cmds": "write 'steps: [run: …]'",
        "commands": "write 'steps: [run: …]'",
        "lanes": "each lane has a file of its own, such as 'Lanes/test.yml'",
        "recipes": "each lane has a file of its own, such as 'Lanes/test.yml'",
        "parallel": "use it in a step: '- parallel: […]'",
        "tasks": "use 'steps'",
        "jobs": "the jobs of CI are in Lanes/ci/jobs.yml; a lane has 'steps'",
        "command": "write 'run: …'",
        "cmd": "write 'run: …'",
        "exec": "write 'run: …'",
        "script": "write 'run: …'",
        "sh": "write 'run: …'",
        "bash": "use 'run: { command: …, shell: bash -euo pipefail }'",
        "desc": "use 'summary'",
        "doc": "use 'summary'",
        "help": "use 'summary'",
        "usage": "use 'summary', or 'parameters' with 'help'",
        "task": "write 'lane: …'",
        "recipe": "write 'lane: …'",
        "import": "use 'include'",
        "imports": "use 'include'",
        "extends": "use 'include'",
        "inputs": "use 'parameters', or 'inputs' of a step",
        "outputs": "use 'outputs' of a step",
        "status": "use 'outputs' of the step, or 'if'",
        "for": "use 'foreach'",
        "loop": "use 'foreach'",
        "each": "use 'foreach'",
        "matrix": "use 'matrix' in the lane, or 'foreach' in the step",
        "fail-fast": "use the option '--fail-fast'",
        "defer": "use 'always' in the lane",
        "prompt": "use 'confirm'",
        "requires": "use 'parameters' with 'required: true'",
        "preconditions": "use 'if', or a step that fails",
        "hide": "use 'private: true'",
        "arguments": "use 'parameters', or '${{ arguments }}' in a step",
        "env-file": "use 'dotenv'",
        "dotenv-load": "use 'dotenv: [.env]'",
        "background": "write '- service: { run: … }'; it runs until the lane ends",
        "permissions": "the permissions of CI jobs are in Lanes/ci/jobs.yml",
        "schedule": "the schedules of CI jobs are in Lanes/ci/jobs.yml",
        "runs-on": "the systems of CI jobs are in Lanes/ci/jobs.yml",
        "uses": "GitHub's actions do not run here; see 'lane help actions'",
        "on": "the triggers of CI jobs are in Lanes/ci/jobs.yml",
        "cd": "use 'directory'",
        "cwd": "use 'directory'",
        "workdir": "use 'directory'",
        "silent": "use the option '--quiet'",
        "quiet": "use the option '--quiet'",
        "dir": "use 'directory'",
        "working-directory": "use 'directory'",
        "when": "use 'if'",
        "vars": "use 'let'",
        "alias": "use 'aliases'",
        "foreach": "use 'matrix', or 'foreach' in a step",
        "shell": "use 'run: { command: …, shell: … }'",
        "depends": "use 'needs' in the lane",
        "services": "write '- service: { run: … }' as a step; it runs until the lane ends",
        "deps": "use 'needs' in the lane",
        "depends-on": "use 'needs' in the lane",
        "needs": "use 'needs' in the lane",
        "variables": "use 'let', or 'env' for environment variables",
        "environment": "use 'env'",
        "options": "use 'parameters'",
        "params": "use 'parameters'",
        "args": "use 'parameters'",
        "internal": "use 'private: true'",
        "hidden": "use 'private: true'",
        "private-lane": "use 'private: true'",
        "finally": "use 'always' in the lane",
        "ensure": "use 'always' in the lane",
        "after": "use 'always' in the lane",
        "after-all": "use 'always' in the lane",
        "error": "use 'on-failure' in the lane",
        "on-error": "use 'on-failure' in the lane",
        "rescue": "use 'on-failure' in the lane",
        "before": "put these steps first in 'steps', or use 'needs'",
        "retries": "use 'retry', or 'test: { retries: … }'",
        "ignore-error": "use 'continue-on-error' in the step",
        "ignore-errors": "use 'continue-on-error' in the step",
        "allow-failure": "use 'continue-on-error' in the step",
        "timeout-minutes": "use 'timeout', such as '5m'",
        "strategy": "use 'matrix' in the lane",
        "sources": "use 'inputs' in the step",
        "generates": "use 'outputs' in the step",
        "with": "write the settings below the action: 'test: { filter: [Name] }'",
    ]

    /// Hints for keys of other tools that have an equivalent only in a lane.
    static let foreignInLanes: [String: String] = [
        "version": "a lane file has no version; remove it",
        "tools": "write '- require: { tools: … }' as a step",
        "platforms": "use 'if', such as \"platform.os == 'linux'\"",
        "os": "use 'if', such as \"platform.os == 'linux'\"",
        "set": "a script runs with 'sh -eu', and fails if a command of a pipeline fails; remove it",
        "image": "use the option '--in docker', or 'image' in Lanes/ci/jobs.yml",
        "watch": "use the option '--watch'",
        "cron": "the schedules of CI jobs are in Lanes/ci/jobs.yml",
        "defaults": "use 'directory' and 'env' of the lane",
        "flags": "use 'parameters'",
        "on-success": "put these steps last in 'steps'",
        "setup": "put these steps first in 'steps', or use 'needs'",
        "cleanup": "use 'always' in the lane",
        "teardown": "use 'always' in the lane",
    ]

    /// Programs that a step runs only with `run`.
    static let programs: Set<String> = [
        "cp", "curl", "docker", "echo", "git", "make", "mkdir", "mv", "npm", "python3", "rm", "sleep", "swift",
        "xcodebuild",
    ]

    /// Hints for keys of other tools that have another equivalent in a step than in a lane.
    static let foreignInSteps: [String: String] = [
        "desc": "use 'name'",
        "description": "use 'name'",
        "summary": "use 'name'",
        "vars": "use 'env', or 'let' in the lane",
        "variables": "use 'env', or 'let' in the lane",
        "let": "use 'let' in the lane",
        "sources": "use 'inputs'",
        "generates": "use 'outputs'",
        "cmds": "write one 'run: …' for each step",
        "commands": "write one 'run: …' for each step",
        "steps": "put these steps into a lane, and write 'lane: …'",
        "dotenv": "use 'dotenv' in the lane",
        "env-file": "use 'dotenv' in the lane",
    ]

    /// Hints for the keys of other tools that describe a container.
    static let foreignInServices: [String: String] = [
        "env": "use 'env' of the step, and name the variables in 'variables'",
        "environment": "use 'env' of the step, and name the variables in 'variables'",
        "command": "use 'arguments' with an image, or 'run' without one",
        "healthcheck": "use 'ready-command', or 'ready-line'",
        "health-cmd": "use 'ready-command', or 'ready-line'",
        "options": "use 'arguments', 'variables' and 'port'",
        "volumes": "a container gets no files; write 'run: docker run …' in place of 'image'",
    ]

    /// Settings and options of other tools for lanes and tests, with those that do the same.
    package static let foreignOptions: [String: String] = [
        "dry": "plan", "dry-run": "plan", "n": "plan",
        "parallel": "jobs", "num-workers": "jobs", "test-threads": "jobs", "threads": "jobs",
        "enable-code-coverage": "coverage", "xunit-output": "junit", "list-tests": "list", "rerun": "failed",
        "c": "configuration", "no-fail-fast": "keep-going",
        "retry": "retries", "E": "filter", "partition": "shard", "nocapture": "no-capture",
        "Xswiftc": "arguments", "X": "arguments", "release": "configuration", "slow-timeout": "slow",
        "attempts": "times", "max": "times", "count": "times", "limit": "times", "delay": "backoff",
        "choices": "values", "options": "values", "enum": "values", "description": "help",
        "desc": "help", "grep": "filter", "only": "filter", "test": "filter", "tests": "filter", "bail": "fail-fast",
        "last-failed": "failed", "lf": "failed", "silent": "quiet", "with": "parameters",
    ]

    static let stepNames = Set(step.map(\.name))

    /// The keys of a step whose values can contain expressions.
    static let takesExpressions: Set<String> = ["if", "env", "foreach", "parameters", "directory", "inputs", "outputs"]

    /// The contexts whose values are known during planning.
    static let plannedContexts: Set<ContextName> = [.parameters, .let, .matrix, .item, .platform]

    /// Returns the keys of a `lane` or `parallel` step in addition to its action, or `nil` for any other step.
    static func outerStep(_ action: String) -> [String]? {
        switch action {
        case "lane": ["parameters", "name", "if", "foreach", "timeout"]
        case "parallel": ["name", "if"]
        default: nil
        }
    }

    private static let kind = SettingType.choice(Parameter.Kind.allCases.map(\.rawValue))

    /// The keys of a parameter.
    package static let parameter: [SettingSchema] = [
        SettingSchema(
            "type", kind, "The type of the values", default: .string("string")),
        SettingSchema(
            "position", .integer(1...32),
            "The position on the command line; without it, the parameter is only an option"),
        SettingSchema("default", .any, "The default value, or a command as '{ run: … }' whose output is the default"),
        SettingSchema("secret", .bool, "Mask the value in all output", default: .bool(false)),
        SettingSchema("env", .string, "The environment variable whose value is the default, unless it is empty"),
        SettingSchema("required", .bool, "A value is required", default: .bool(false)),
        SettingSchema("values", .list(.string), "The values of an enum"),
        SettingSchema(
            "variadic", .bool, "The value is a list: all remaining words, or one for each use of the option",
            default: .bool(false)),
        SettingSchema("help", .string, "The help for 'lane NAME --help'"),
    ]

    /// The keys of `foreach` over files.
    static let items = [SettingSchema("files", .list(.string), "The globs, relative to the root", isRequired: true)]

    static let call: [SettingSchema] = [
        SettingSchema("lane", .string, "The name of the lane", isRequired: true),
        SettingSchema("parameters", .map(.any), "The values of the lane's parameters"),
    ]

    static let callNames = Set(call.map(\.name))

    /// The keys of an input.
    static let input: [SettingSchema] = [
        SettingSchema("path", .string, "The glob or path, relative to the root", isRequired: true),
        SettingSchema("optional", .bool, "There may be no such file", default: .bool(false)),
    ]

    static let dotenv: [SettingSchema] = [
        SettingSchema("path", .path, "The file", isRequired: true),
        SettingSchema("optional", .bool, "The file may be missing", default: .bool(false)),
    ]

    static let retry: [SettingSchema] = [
        SettingSchema("times", .integer(0...100), "The number of further attempts", isRequired: true),
        SettingSchema("backoff", .duration, "The delay before the second attempt; doubled for each further attempt"),
        SettingSchema("statuses", .list(.integer(1...255)), "The exit statuses that are retried; all by default"),
    ]
}
