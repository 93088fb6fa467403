import Arguments
import Diagnostics
import Files

/// `lane doctor`
enum DoctorCommand: Subcommand {
    static let name = "doctor"

    static let spec = CommandSpec(
        name, abstract: "Check that the tools lanes need are there, and say how to get what is missing.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let style = world.style(for: world.output)
        var status = ExitStatus.done
        for tool in Tool.all {
            let name = TerminalText.padded(tool.name, to: 8)
            if let version = world.path(of: tool.name) == nil ? nil : world.version(of: tool) {
                world.output.writeLine(style.apply(.green, to: style.symbol("✔", orElse: "ok")) + " \(name)\(version)")
            } else {
                let mark = style.apply(tool.isRequired ? .red : .yellow, to: style.symbol("✘", orElse: "--"))
                world.output.writeLine("\(mark) \(name)missing: needed for \(tool.purpose); \(tool.installation)")
                if tool.isRequired { status = .toolMissing }
            }
        }
        return status
    }
}
