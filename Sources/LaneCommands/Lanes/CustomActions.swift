import Diagnostics
import Files
import LaneModel
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The executables in `Lanes/actions`, as they describe themselves.
enum CustomActions {
    static let folder = "Lanes/actions"

    /// Asks each executable to `describe` itself; what is wrong with an answer is told and the action left out.
    static func load(_ root: String, in world: World) -> (schemas: [ActionSchema], diagnostics: Diagnostics) {
        var schemas: [ActionSchema] = []
        var diagnostics = Diagnostics()
        for name in (try? listDirectory("\(root)/\(folder)")) ?? [] {
            let path = "\(root)/\(folder)/\(name)"
            guard fileKind(path) != .directory, access(path, X_OK) == 0 else { continue }
            let command = Command(path, ["describe"], environment: world.environment, directory: root)
            let shown = relativePath(path, to: world.directory)
            do throws(SpawnError) {
                let run = try world.processes.capture(command, limits: RunLimits(timeout: .seconds(10)))
                guard run.report.succeeded else {
                    diagnostics.error("'\(shown) describe' ended with status \(run.report.status)")
                    continue
                }
                let answer = SourceFile(path: "\(shown) describe", bytes: run.standardOutput)
                let (schema, problems) = ActionDescription.parse(answer, name: name)
                diagnostics.add(problems)
                if let schema { schemas.append(schema) }
            } catch {
                diagnostics.error("'\(shown)' does not describe itself: \(error.description)")
            }
        }
        return (schemas, diagnostics)
    }
}
