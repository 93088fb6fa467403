import Files
import LaneSources

extension World {
    /// Returns a project as a user of sources.
    func sourceUser(_ project: Project) -> SourceUser {
        SourceUser(
            root: project.root, laneFiles: project.laneFiles, seenFrom: directory, environment: environment,
            processes: processes, cancellation: cancellation,
            prepare: {
                watchSignals()
                StateDirectory.create(in: project.root)
            },
            report: { errors.writeLine($0) })
    }
}
