import Arguments
import OperatingSystem
import Text

/// The command `lane completions`.
enum CompletionsCommand: Subcommand {
    static let name = "completions"

    private static let shell = Key<String?>.positional(
        "shell", help: "The shell.", allowed: Shell.allCases.map(\.rawValue))

    static let spec = CommandSpec(
        name, abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            Load the script when the shell starts:

              bash   source <(lane completions bash)
              zsh    lane completions zsh > "${fpath[1]}/_lane"
              fish   lane completions fish > ~/.config/fish/completions/lane.fish
            """,
        parameters: [shell.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let word = arguments[shell] ?? world.environment["SHELL"].map { String($0.split(separator: "/").last ?? "") }
        guard let shell = word.flatMap(Shell.init(rawValue:)) else {
            throw CommandFailure(.usage, "the shell is missing", hint: "use bash, zsh or fish")
        }
        world.output.write(shell.completionScript(for: "lane"))
        return .done
    }
}
