import OperatingSystem
import Text
import TracerCommands

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

signal(SIGPIPE, SIG_IGN)
let output = OutputChannel(descriptor: STDOUT_FILENO, name: "standard output")
let errors = OutputChannel(descriptor: STDERR_FILENO, name: "standard error")
let isTerminal = isatty(STDOUT_FILENO) == 1
let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
let console = Console(
    style: TextStyle(
        isColored: isTerminal && environment("NO_COLOR") == nil,
        isUnicode: locale.map { $0.uppercased().contains("UTF") } ?? !isTerminal),
    width: environment("COLUMNS").flatMap { Int($0) } ?? 80,
    write: output.write, writeError: errors.write)
let status = Demo(console: console).run(Array(CommandLine.arguments.dropFirst()))
if let unwritten = output.writeError {
    errors.write("error: \(unwritten)\n")
    exit(ExitStatus.cannotWrite.rawValue)
}
exit(status.rawValue)
