import Arguments
import OperatingSystem
import Release
import Text

/// The command `lane doctor`.
enum DoctorCommand: Subcommand {
    static let name = "doctor"

    static let spec = CommandSpec(
        name, abstract: "Check that the required tools are installed, and print how to install missing ones.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let style = world.style(for: world.output)
        var status = ExitStatus.done
        for tool in Tool.all {
            let version = world.path(of: tool.name) == nil ? nil : world.version(of: tool)
            let problem = problem(with: tool, version, in: world)
            let mark =
                problem == nil
                ? style.apply(.green, to: style.symbol("✔", orElse: "ok"))
                : style.apply(tool.isRequired ? .red : .yellow, to: style.symbol("✘", orElse: "--"))
            world.output.writeLine("\(mark) \(TerminalText.padded(tool.name, to: 9))\(problem ?? version ?? "")")
            if problem != nil, tool.isRequired { status = .toolMissing }
        }
        if let interruptedRelease = interruptedRelease(in: world) {
            let mark = style.apply(.yellow, to: style.symbol("✘", orElse: "--"))
            world.output.writeLine("\(mark) \(TerminalText.padded("release", to: 9))\(interruptedRelease)")
        }
        return status
    }

    /// Returns a description of an interrupted release in the repository around the working directory.
    private static func interruptedRelease(in world: World) -> String? {
        let interruptedRelease = GitTransactionSource.interruptedRelease(
            root: world.directory, environment: world.environment, processes: world.processes)
        return interruptedRelease.map { "\($0); run a lane to complete it, or 'lane release --abort' to remove it" }
    }

    private static func problem(with tool: Tool, _ version: String?, in world: World) -> String? {
        guard let version else { return "missing: needed for \(tool.purpose); \(tool.installation)" }
        return world.hasService(tool)
            ? nil : "\(version), but the engine is not running: needed for \(tool.purpose); start it"
    }
}
