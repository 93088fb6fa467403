import Actions
import Events
import Git
import LaneModel
package import OperatingSystem
import Records
package import Reports

/// The report files in the settings of a `test` step. They contain the events of the run that belong to the step.
struct StepReports {
    private let files: ReportFiles
    private let context: StepContext

    /// Starts the reports. Relative paths are relative to the root of the package.
    init(_ settings: Settings, in context: StepContext) {
        self.context = context
        files = ReportFiles(directory: context.root, package: context.directory) {
            RunOrigin(directory: context.directory, environment: context.environment, processes: context.processes)
        }
        let reports = files.reports { settings.string($0.name) }
        let log = settings.string("events").map { files.eventLog($0) }
        guard !reports.isEmpty || log != nil else { return }
        context.events.beginPart(of: context.step, receivers: [ReportSet(reports)] + (log.map { [$0] } ?? []))
    }

    /// The absolute paths of the files.
    var paths: [String] { files.paths }

    /// Ends the reports and writes their files. Returns the errors.
    ///
    /// - Parameter reason: The reason for a failure outside any test.
    func finish(status: Int32, reason: String? = nil) -> [FileError] {
        context.events.endPart(
            of: context.step, status: status, error: status == 0 ? nil : reason.map(context.mask.masked))
        return files.finish()
    }
}

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
