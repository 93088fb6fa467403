import Synchronization

/// One run of `--watch`.
package struct WatchRound: Sendable {
    /// The changed files since the previous run, relative to the root. Empty for the first run.
    package let changed: [String]
    package let written: WrittenFiles

    /// Creates a run that changed files have started. It adds the files that it writes to `written`.
    package init(changed: [String], written: WrittenFiles) {
        self.changed = changed
        self.written = written
    }
}

/// The files that runs have written. Their changes do not start a run.
package final class WrittenFiles: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// Creates an empty set of files.
    package init() {}

    /// Adds absolute paths.
    package func note(_ paths: [String]) { self.paths.withLock { $0.formUnion(paths) } }

    /// Returns a Boolean value that indicates whether a run has written the file at an absolute path.
    package func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}
