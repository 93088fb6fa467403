import OperatingSystem
import RemoteLanes

extension World {
    /// Returns the user of sources for a project.
    func sourceUser(_ project: Project) -> SourceUser {
        SourceUser(
            root: project.root, laneFiles: project.laneFiles, seenFrom: directory, environment: environment,
            builtInActions: ActionTable.names, processes: processes, cancellation: cancellation,
            prepare: {
                watchSignals()
                StateDirectory.create(in: project.root)
            },
            report: { errors.writeLine($0) })
    }
}
