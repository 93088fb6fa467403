import Actions
import Events
import Git
import OperatingSystem
import Records
import TestEngine
import Text

/// The recording of a test step's results in the history, for `lane history tests`.
struct TestRecording {
    let context: StepContext

    /// Adds the results of all attempts. A failure to write is a warning.
    func record(_ results: [TestResult], startedAt: Double) {
        let results = results.compactMap { AttemptResult($0) }
        guard !results.isEmpty else { return }
        let status = try? GitStatus.read(Git(context))
        let run = TestRunResults(
            startedAt: startedAt, commit: status?.head, isModified: status?.changes.isEmpty == false,
            machine: TestRunResults.ownMachine, results: results)
        do throws(FileError) {
            try ResultStore(root: context.root).add([run])
        } catch {
            context.report(.warning, "\(error); the results of this run are not in the history")
        }
    }
}

extension TestOptions {
    /// Throws an error with all quarantine entries whose last day is over.
    ///
    /// - Parameter time: The time in seconds since 1970.
    func requireCurrentQuarantine(at time: Double) throws(OperationFailure) {
        let today = Instant(secondsSince1970: time).date
        let expired = quarantine.filter { $0.lastDay.daysSince1970 < today.daysSince1970 }
        guard !expired.isEmpty else { return }
        throw OperationFailure(
            status: ExitStatus.refused.rawValue,
            expired.map { "the quarantine of '\($0.pattern)' ended on \($0.lastDay) (\($0.reason))" }
                .joined(separator: "\n") + "\nhint: fix the test and remove the entry, or set a later 'until'")
    }
}
