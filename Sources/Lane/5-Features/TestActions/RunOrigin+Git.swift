import Git
package import OperatingSystem
import Records
package import Reports

extension RunOrigin {
    /// Creates the origin of a run of this machine in a directory, without what `git` doesn't know.
    package init(directory: String, environment: [String: String], processes: any ProcessRunner) {
        self.init()
        machine = TestRunResults.ownMachine
        let git = Git(in: directory, environment: environment, processes: processes)
        if let status = try? GitStatus.read(git) {
            (commit, branch, isModified) = (status.head, status.branch, !status.changes.isEmpty)
        }
        page = (try? git.origin()).flatMap { RemoteAddress($0) }?.page
    }
}
