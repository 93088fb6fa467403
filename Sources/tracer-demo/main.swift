import Diagnostics
import Files
import TracerCommands

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

func show(_ text: String, on descriptor: Int32) {
    // A reader that went away is no fault of ours; there is nobody left to tell.
    try? Array(text.utf8).withUnsafeBytes { try writeAll($0, to: descriptor, named: "output") }
}

signal(SIGPIPE, SIG_IGN)
let isTerminal = isatty(STDOUT_FILENO) == 1
let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
let console = Console(
    style: TextStyle(
        isColored: isTerminal && environment("NO_COLOR") == nil,
        isUnicode: locale.map { $0.uppercased().contains("UTF") } ?? !isTerminal),
    width: environment("COLUMNS").flatMap { Int($0) } ?? 80,
    write: { show($0, on: STDOUT_FILENO) }, writeError: { show($0, on: STDERR_FILENO) })
exit(Demo(console: console).run(Array(CommandLine.arguments.dropFirst())).rawValue)
