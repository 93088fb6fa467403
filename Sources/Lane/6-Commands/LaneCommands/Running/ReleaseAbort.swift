import Actions
import OperatingSystem
import Text

/// The option `--abort`: removes an interrupted transaction, or undoes the last release.
struct ReleaseAbort {
    let root: String

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        do {
            let done = try world.program.releases.abort(world.git(in: root))
            world.output.writeLine(done ?? "nothing to undo")
            return .done
        } catch {
            throw CommandFailure(error)
        }
    }
}
