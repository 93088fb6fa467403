import CLibrary
import OperatingSystem
import TestSupport

/// An environment with only the directories of common tools.
let plainEnvironment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]

func shell(_ script: String, in directory: String? = nil, input: Command.Input = .nothing) -> Command {
    Command("sh", ["-c", script], environment: plainEnvironment, directory: directory, input: input)
}

/// Returns a Boolean value that indicates whether a process exists and has not ended.
func isAlive(_ process: pid_t) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    #if os(Linux)
        guard let status = try? contents(of: "/proc/\(process)/stat") else { return false }
        let text = String(decoding: status, as: UTF8.self)
        return !text.contains(") Z ") && !text.contains(") X ")
    #else
        return true
    #endif
}

/// Returns the process IDs that children wrote to a file, one per line.
func processes(listedIn directory: TemporaryDirectory, _ name: String) throws -> [pid_t] {
    try directory.read(name).split(separator: "\n").compactMap { pid_t($0) }
}

/// Waits until a file exists. Returns `false` if it does not within a long time.
func waitForFile(_ path: String) -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while access(path, F_OK) != 0 {
        guard ContinuousClock.now < end else { return false }
        usleep(5000)
    }
    return true
}
