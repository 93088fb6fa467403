import Files
import LaneEvents
import Reports
import Synchronization

/// Files that reports write: gathered while the run goes on and put in place whole at its end, but for the event log,
/// which is written as the run goes on.
final class ReportFiles: Sendable {
    private struct Pending {
        let path: String
        let isAppended: Bool
        var bytes: [UInt8] = []
    }

    private let pending = Mutex<[Pending]>([])
    private let failures = Mutex<[FileError]>([])
    /// Where event logs go.
    private let logs = Mutex<[String]>([])
    private let directory: String

    /// Relative paths are seen from `directory`.
    init(directory: String) {
        self.directory = directory
    }

    /// All of them, absolute.
    var paths: [String] { pending.withLock { $0.map(\.path) } + logs.withLock { $0 } }

    /// A sink whose bytes end up in the file, or behind what it already holds.
    func sink(_ path: String, isAppended: Bool = false) -> Sink {
        let index = pending.withLock { files in
            files.append(Pending(path: absolutePath(path, from: directory), isAppended: isAppended))
            return files.count - 1
        }
        return { [self] bytes in pending.withLock { $0[index].bytes += bytes } }
    }

    /// The log of every event, written at once, so that memory stays flat and others can follow the run.
    func eventLog(_ path: String) -> EventLog {
        let path = absolutePath(path, from: directory)
        logs.withLock { $0.append(path) }
        let file = Mutex<LogFile?>(nil)
        do throws(FileError) {
            try makeDirectories(parentDirectory(path))
            let opened = try LogFile(path)
            file.withLock { $0 = opened }
        } catch {
            failures.withLock { $0.append(error) }
        }
        return EventLog { [self] bytes in
            file.withLock { open in
                do throws(FileError) {
                    try open?.append(bytes)
                } catch {
                    // Told once; the rest of the run has no log.
                    failures.withLock { $0.append(error) }
                    open = nil
                }
            }
        }
    }

    /// The reports that are asked for by file name.
    func reports(junit: String?, summary: String?, html: String?) -> [any Report] {
        var reports: [any Report] = []
        if let junit { reports.append(JUnitReport(write: sink(junit))) }
        if let summary { reports.append(MarkdownSummary(write: sink(summary))) }
        if let html { reports.append(HTMLReport(write: sink(html))) }
        return reports
    }

    /// Writes all files, making folders on the way; tells all that could not be written.
    func write() -> [FileError] {
        var failures = failures.withLock { $0 }
        for file in pending.withLock({ $0 }) {
            do throws(FileError) {
                try makeDirectories(parentDirectory(file.path))
                if file.isAppended {
                    try appendToFile(file.bytes, file.path)
                } else {
                    try writeFile(file.bytes, to: file.path)
                }
            } catch {
                failures.append(error)
            }
        }
        return failures
    }
}
