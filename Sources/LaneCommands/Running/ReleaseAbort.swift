import Diagnostics
import Files
import Processes
import Releasing

/// `--abort`: removes what an interrupted transaction left, or takes back the last release.
struct ReleaseAbort {
    let root: String

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        do {
            let done = try GitTransactionSource.abort(
                root: root, environment: world.environment, processes: world.processes)
            world.output.writeLine(done ?? "nothing to take back")
            return .done
        } catch {
            throw CommandFailure(error)
        }
    }
}
