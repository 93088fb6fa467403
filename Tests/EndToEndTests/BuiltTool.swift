import CLibrary
import OperatingSystem
import TestSupport

/// A program of this package that was built with the tests.
struct BuiltTool {
    static let lane = BuiltTool("lane")
    static let demo = BuiltTool("tracer-demo")

    let path: String

    init(_ name: String) {
        path = "\(productsDirectory)/\(name)"
    }

    /// Runs the program until it exits, without the settings, terminal and CI variables of the developer.
    func run(
        _ arguments: [String], in directory: String, environment: [String: String] = [:],
        limits: RunLimits = RunLimits(timeout: .seconds(300))
    ) async throws -> CapturedRun {
        try await capture(command(arguments, in: directory, environment: environment), limits: limits)
    }

    func command(_ arguments: [String], in directory: String, environment: [String: String] = [:]) -> Command {
        Command(
            path, arguments, environment: plainEnvironment().merging(environment) { $1 }, directory: directory)
    }
}

/// Runs a command on a separate thread, so that it blocks none of the few that all tests share.
func capture(_ command: Command, limits: RunLimits = RunLimits(timeout: .seconds(300))) async throws -> CapturedRun {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            continuation.resume(with: Result { try ChildRunner().capture(command, limits: limits) })
        }
        if thread == nil { continuation.resume(throwing: POSIXFailure("pthread_create", EAGAIN)) }
    }
}

/// An environment with the search path of the machine and otherwise fixed variables, so that all runs are equal.
func plainEnvironment() -> [String: String] {
    let inherited = buildEnvironment()
    var environment = hostVariables
    environment.merge([
        "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "COLUMNS": "100",
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": "",
        "GIT_AUTHOR_NAME": "A Tester", "GIT_AUTHOR_EMAIL": "tester@example.com",
        "GIT_COMMITTER_NAME": "A Tester", "GIT_COMMITTER_EMAIL": "tester@example.com",
    ]) { $1 }
    // The last one is the file for coverage counts. Without it, a program writes them to its working directory.
    for name in ["PATH", "HOME", "TMPDIR", "DEVELOPER_DIR", "LLVM_PROFILE_FILE"] { environment[name] = inherited[name] }
    return environment
}
