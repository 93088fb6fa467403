import Arguments
import LaneModel
import OperatingSystem
import RemoteLanes
import Text

/// The command `lane check`.
enum CheckCommand: Subcommand {
    static let name = "check"

    static let spec = CommandSpec(
        name, abstract: "Check all lane files and report all errors.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let catalog = try LaneCatalog.load(ignoresCache: true, in: world)
        var diagnostics = catalog.diagnostics
        diagnostics.add(catalog.remote.unusedEntries)
        diagnostics.add(
            catalog.files.dotEnvDiagnostics { file throws(Diagnostic) in
                try catalog.project.dotEnv(file, waitsForPipe: false)
            })
        if let misplaced = Project.misplacedFile(nil, in: catalog.project.root) { diagnostics.add(misplaced) }
        if !diagnostics.hasErrors {
            do { _ = try CICommand.plan(of: catalog, in: world) } catch { diagnostics.add(error) }
        }
        let style = world.style(for: world.errors)
        world.errors.write(DiagnosticText(style: style).text(for: diagnostics))
        let errors = diagnostics.all.count { $0.severity == .error }
        guard errors == 0 else {
            world.errors.writeLine(style.apply(.red, to: "\(count(errors, "error")) in lane files"))
            return .refused
        }
        let subject =
            catalog.project.hasLaneFiles ? count(catalog.project.laneFiles.count, "lane file") : "the built-in lanes"
        world.output.writeLine("\(subject): no errors")
        return .done
    }
}
