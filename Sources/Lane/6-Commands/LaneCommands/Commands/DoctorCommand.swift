import Actions
import Arguments
import OperatingSystem
import Text

/// The command `lane doctor`.
enum DoctorCommand: Subcommand {
    static let name = "doctor"

    static let spec = CommandSpec(
        name, abstract: "Check that the required tools are installed, and print how to install missing ones.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let style = world.style(for: world.output)
        var status = ExitStatus.done
        for var tool in Tool.all {
            var (version, problem) = state(of: tool, in: world)
            if problem != nil, let name = tool.substitute {
                var substitute = tool
                substitute.name = name
                let state = state(of: substitute, in: world)
                if state.problem == nil { (tool, version, problem) = (substitute, state.version, nil) }
            }
            let mark =
                problem == nil
                ? style.apply(.green, to: style.symbol("✔", orElse: "ok"))
                : style.apply(tool.isRequired ? .red : .yellow, to: style.symbol("✘", orElse: "--"))
            world.output.writeLine("\(mark) \(TerminalText.padded(tool.name, to: 9))\(problem ?? version ?? "")")
            if problem != nil, tool.isRequired { status = .toolMissing }
        }
        let others = [
            ("checkout", world.gitProblem(in: world.directory)), ("package", newerManifest(in: world)),
            ("release", interruptedRelease(in: world)),
        ]
        for case (let name, let problem?) in others {
            let mark = style.apply(.yellow, to: style.symbol("✘", orElse: "--"))
            world.output.writeLine("\(mark) \(TerminalText.padded(name, to: 9))\(problem)")
        }
        return status
    }

    /// Returns a description of a manifest that needs a newer toolchain than the installed one.
    private static func newerManifest(in world: World) -> String? {
        guard let root = try? Project.root(around: world.directory),
            let line = (try? readText("\(root)/Package.swift"))?.split(separator: "\n").first,
            let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
            let swift = Tool.all.first(where: { $0.name == "swift" }), let found = world.version(of: swift)
        else { return nil }
        let wanted = line[line.utf8.index(after: colon)...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." }
        guard let requirement = ToolRequirement(">= \(wanted)"), !requirement.isMet(by: found) else { return nil }
        return "Package.swift needs Swift \(wanted), found \(found); \(swift.installation)"
    }

    /// Returns a description of an interrupted release in the repository around the working directory.
    private static func interruptedRelease(in world: World) -> String? {
        world.program.releases.interruptedRelease(world.git(in: world.directory)).map {
            "\($0); run a lane to complete it, or 'lane release --abort' to remove it"
        }
    }

    private static func state(of tool: Tool, in world: World) -> (version: String?, problem: String?) {
        let version = world.path(of: tool.name) == nil ? nil : world.version(of: tool)
        return (version, problem(with: tool, version, in: world))
    }

    private static func problem(with tool: Tool, _ version: String?, in world: World) -> String? {
        guard let version else { return "missing: needed for \(tool.purpose); \(tool.installation)" }
        if let required = tool.required, let requirement = ToolRequirement(required), !requirement.isMet(by: version) {
            return "\(version), which is too old: expected \(required); \(tool.installation)"
        }
        return world.refusal(byServiceOf: tool).map { reason, fix in
            "\(version), but the engine \(reason): needed for \(tool.purpose); \(fix)"
        }
    }
}
