import Actions
import Events
import Git
import LaneModel
package import OperatingSystem
import Records
package import Reports
import Text

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
        var reports = files.reports { settings.string($0.name) }
        if let path = settings.string("events") { reports.append(files.eventLog(path)) }
        guard !reports.isEmpty else { return }
        context.events.beginPart(of: context.step, receivers: reports)
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
        machine = Platform.name
        let git = Git(in: directory, environment: environment, processes: processes)
        if let status = try? GitStatus.read(git) {
            (commit, branch, isModified) = (status.head, status.branch, !status.changes.isEmpty)
        }
        page = (try? git.origin()).flatMap { RemoteAddress($0) }?.page
    }
}

/// The directory of the files that the tests of a step attach.
struct Attachments {
    private let path: String
    /// A Boolean value that indicates whether the user chose the directory. The files of earlier runs then remain.
    private let isChosen: Bool

    init(_ settings: Settings, in context: StepContext) {
        let chosen = settings.string("attachments")
        isChosen = chosen != nil
        let name = context.step.description.replacing("/", with: "-")
        path = absolutePath(chosen ?? ".lane/attachments/\(name)", from: context.root)
    }

    /// Creates the directory, without the files of an earlier run. Returns its path, or `nil` with a warning if the
    /// default directory can't be written.
    func begin(in context: StepContext) throws(OperationFailure) -> String? {
        do throws(FileError) {
            if !isChosen, fileExists(path) { try removeTree(path) }
            try makeDirectories(path)
            return path
        } catch {
            guard !isChosen else { throw OperationFailure(error) }
            context.report(.warning, "\(error); files that tests attach are lost")
            return nil
        }
    }

    /// Removes the default directory, and the one above it, if they have no files.
    func removeIfEmpty() {
        guard !isChosen else { return }
        // Another test step may be using the second one.
        for directory in [path, parentDirectory(path)] { removeEmptyDirectory(directory) }
    }
}
