package import Events
package import OperatingSystem
import Synchronization

/// A function that writes the bytes of a report. The bytes of one call belong together.
package typealias Sink = ([UInt8]) -> Void

/// A format of report files. To add a format, add a line to `all`, here and in `ReportOption`.
package struct ReportFormat: Sendable {
    /// The name of the setting and option, as in `ReportOption`.
    package let name: String
    /// The data of passed tests that the report needs.
    package let passed: PassedTestDetail
    /// A closure that creates a report. The report passes the bytes of its file to the sink.
    fileprivate let makeReport: @Sendable (@escaping Sink, ReportSources) -> any EventReceiver

    /// All formats, in the order of their options in help.
    package static let all = [
        ReportFormat(name: "junit", passed: .names) { JUnitReport(root: $1.root, write: $0) },
        ReportFormat(name: "summary", passed: .counts) { write, _ in MarkdownSummary(write: write) },
        ReportFormat(name: "html", passed: .names) { HTMLReport(sources: $1, write: $0) },
        ReportFormat(name: "sarif", passed: .counts) { SARIFReport(root: $1.root, write: $0) },
    ]
}

/// The report files. They replace earlier files at the end of the run. Event logs are written during the run.
package final class ReportFiles: Sendable {
    private struct Pending {
        let path: String
        let isAppended: Bool
        /// The file, or `nil` before its first bytes and after an error.
        var file: FileReplacement?
        /// The bytes to append.
        var bytes: [UInt8] = []
        var error: FileError?

        mutating func write(_ new: [UInt8]) {
            if isAppended {
                bytes += new
                return
            }
            guard error == nil else { return }
            do throws(FileError) {
                if file == nil { file = try open() }
                try file?.append(new)
            } catch {
                (file, self.error) = (nil, error)
            }
        }

        private func open() throws(FileError) -> FileReplacement {
            try makeDirectories(parentDirectory(path))
            return try FileReplacement(path)
        }

        /// Completes the file. Returns the first error.
        mutating func finish() -> FileError? {
            do throws(FileError) {
                if isAppended {
                    try makeDirectories(parentDirectory(path))
                    try appendToFile(bytes, path)
                } else {
                    write([])
                    try file?.commit()
                }
                return error
            } catch {
                return error
            }
        }
    }

    private let pending = Mutex<[Pending]>([])
    private let failures = Mutex<[FileError]>([])
    /// The paths of event logs.
    private let logs = Mutex<[String]>([])
    private let directory: String
    private let sources: ReportSources

    /// Creates files. Relative paths are relative to `directory`.
    ///
    /// - Parameters:
    ///   - package: The absolute path of the package, whose repository the paths in reports are relative to.
    ///   - origin: A closure that returns the origin of the run.
    package init(
        directory: String, package: String, origin: @escaping @Sendable () -> RunOrigin = { RunOrigin() }
    ) {
        self.directory = directory
        sources = ReportSources(
            root: Self.pathInRepository(of: package),
            read: { path in
                let bytes = try? readFile(absolutePath(path, from: package))
                return bytes.flatMap { $0.count <= Self.attachmentLimit ? $0 : nil }
            }, origin: origin)
    }

    /// The maximum size in bytes of an attached file that a report contains.
    private static let attachmentLimit = 1 << 20

    /// Returns the path of a directory in its repository, either empty or with a trailing `/`.
    package static func pathInRepository(of directory: String) -> String {
        let directory = resolvedPath(directory) ?? directory
        var repository = directory
        while !fileExists("\(repository)/.git") {
            let parent = parentDirectory(repository)
            guard parent != repository, parent.utf8.count < repository.utf8.count, parent != "/" else { return "" }
            repository = parent
        }
        return repository == directory ? "" : relativePath(directory, to: repository) + "/"
    }

    /// The absolute paths of all files.
    package var paths: [String] { pending.withLock { $0.map(\.path) } + logs.withLock { $0 } }

    /// Returns a sink that writes or appends to a file.
    package func sink(_ path: String, isAppended: Bool = false) -> Sink {
        let index = pending.withLock { files in
            files.append(Pending(path: absolutePath(path, from: directory), isAppended: isAppended))
            return files.count - 1
        }
        return { [self] bytes in pending.withLock { $0[index].write(bytes) } }
    }

    /// Returns a log of all events. It is written immediately, which keeps memory constant, and lets other programs
    /// read events during the run.
    package func eventLog(_ path: String) -> EventLog {
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
                    // The error is reported once, and the log ends.
                    failures.withLock { $0.append(error) }
                    open = nil
                }
            }
        }
    }

    /// Returns the requested reports.
    ///
    /// - Parameter path: A closure that returns the path of the file for a format, or `nil` if the format is not
    ///   requested.
    package func reports(at path: (ReportFormat) -> String?) -> [any EventReceiver] {
        ReportFormat.all.compactMap { format in path(format).map { format.makeReport(sink($0), sources) } }
    }

    /// Completes all files. Returns the errors.
    package func finish() -> [FileError] {
        failures.withLock { $0 }
            + pending.withLock { files in files.indices.compactMap { files[$0].finish() } }
    }
}
