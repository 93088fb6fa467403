import Arguments
package import Text
import Tracer

/// A subcommand: its parameters and its function.
struct DemoCommand: Sendable {
    let spec: CommandSpec
    let run: @Sendable (ParsedArguments, Console) throws -> ExitStatus
}

/// The `tracer-demo` command line.
package struct Demo {
    private static let commands: [DemoCommand] = [
        LettersCommand.command, TraceCommand.command, ScoreCommand.command, ReplayCommand.command,
        RenderCommand.command, WebCommand.command, SimulateCommand.command, ImportCommand.command, BenchCommand.command,
    ]
    static let version = Key<Bool>.flag("version", help: "Show the version.")

    static let spec = CommandSpec(
        "tracer-demo", abstract: "Trace letters and score the result.",
        discussion: """
            A trace is a JSON file with the points of the pen for each stroke; 'tracer-demo simulate' creates one. \
            Coordinates and thresholds are in view units, as on a screen.
            """,
        parameters: [version.spec], subcommands: commands.map(\.spec))

    private let console: Console

    package init(console: Console) {
        self.console = console
    }

    /// Runs a command line and returns its exit status.
    package func run(_ words: [String]) -> ExitStatus {
        do {
            return try dispatch(words)
        } catch let error as UsageError {
            console.writeError(error.text)
            return .usage
        } catch let failure as Failure {
            console.writeError(DiagnosticText(style: console.style).text(for: failure.diagnostics))
            return failure.status
        } catch {
            let diagnostics = Diagnostics([Diagnostic(.error, "\(error)")])
            console.writeError(DiagnosticText(style: console.style).text(for: diagnostics))
            return .internal
        }
    }

    private func dispatch(_ words: [String]) throws -> ExitStatus {
        let path = [Self.spec.name]
        guard let name = words.first, !name.hasPrefix("-") else {
            let arguments = try Self.spec.requestsHelp(words) ? nil : Self.spec.parse(words).arguments
            let isVersion = arguments?[Self.version] ?? false
            console.write(isVersion ? "\(TracerVersion.current)\n" : Self.spec.help(width: console.width))
            return .done
        }
        if name == "help" {
            guard let topic = words.dropFirst().first else {
                console.write(Self.spec.help(width: console.width))
                return .done
            }
            console.write(try command(topic).spec.help(after: path, width: console.width))
            return .done
        }
        let command = try command(name)
        let rest = Array(words.dropFirst())
        if command.spec.requestsHelp(rest) {
            console.write(command.spec.help(after: path, width: console.width))
            return .done
        }
        return try command.run(command.spec.parse(rest, after: path).arguments, console)
    }

    private func command(_ name: String) throws -> DemoCommand {
        if let command = Self.commands.first(where: { $0.spec.name == name }) { return command }
        let names = Self.commands.map(\.spec.name)
        let suggestion = nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        throw UsageError(
            problems: ["Unknown command '\(name)'.\(suggestion)"], usage: "\(Self.spec.name) <subcommand>",
            helpCommand: "\(Self.spec.name) --help")
    }
}
