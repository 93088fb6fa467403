import Files
package import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Waits for files below a directory to change.
///
/// Changes are found by comparing the files' stamps. On Linux, inotify says when to compare. Elsewhere, and when the user's
/// inotify watches are used up, they are compared a few times a second.
package final class FileWatch {
    /// Directories that a build writes to.
    static let usuallyIgnored: Set<String> = ["dist", "build"]

    private static let pollInterval = Duration.milliseconds(300)

    private let root: String
    private let ignored: Set<String>
    private var last: TreeSnapshot
    #if os(Linux)
        private var events: DirectoryEvents?
    #endif

    /// Starts with the present state of the files. Names that begin with a dot are never watched.
    package init(root: String, ignoring ignored: Set<String> = FileWatch.usuallyIgnored) {
        self.root = root
        self.ignored = ignored
        #if os(Linux)
            // Watched before the snapshot, so that no change falls between the two.
            events = DirectoryEvents()
            events?.watch(TreeSnapshot(root: root, ignoring: ignored).watchedDirectories)
        #endif
        last = TreeSnapshot(root: root, ignoring: ignored)
    }

    /// Blocks until files have changed, and then not changed again for `rest`.
    ///
    /// - Returns: The changed paths relative to the root, sorted; `nil` after a cancellation.
    package func nextChange(rest: Duration = .milliseconds(100), cancellation: Cancellation) -> [String]? {
        while waitForEvent(cancellation) {
            var latest = TreeSnapshot(root: root, ignoring: ignored)
            if latest.changes(since: last).isEmpty {
                // The event may be a new directory, or a change beside a link's target. The pause keeps the latter from
                // using up the processor.
                adopt(latest)
                if cancellation.wait(rest) { return nil }
                continue
            }
            while true {
                if cancellation.wait(rest) { return nil }
                let next = TreeSnapshot(root: root, ignoring: ignored)
                if next.changes(since: latest).isEmpty { break }
                latest = next
            }
            let changes = latest.changes(since: last)
            adopt(latest)
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    private func adopt(_ snapshot: TreeSnapshot) {
        last = snapshot
        #if os(Linux)
            events?.watch(snapshot.watchedDirectories)
        #endif
    }

    /// Waits until files may have changed; false after a cancellation.
    private func waitForEvent(_ cancellation: Cancellation) -> Bool {
        #if os(Linux)
            if let events, events.isComplete { return events.wait(cancellation) }
        #endif
        return !cancellation.wait(Self.pollInterval)
    }
}

#if os(Linux)
    /// An inotify instance that says that something happened in one of several directories.
    final class DirectoryEvents {
        private let descriptor: Int32
        /// The watch descriptors: a directory that was removed and created again gets a new one.
        private var watched: Set<Int32> = []
        /// A Boolean value that indicates whether directories were added, in which files may be older than the watch.
        private var hasNewDirectories = false
        /// False once a directory could not be watched, for example because the user's watches are used up.
        private(set) var isComplete = true

        init?() {
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
        }

        deinit {
            close(descriptor)
        }

        func watch(_ directories: Set<String>) {
            let mask = IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
            for directory in directories {
                let watch = withSystemPath(directory) { inotify_add_watch(descriptor, $0, UInt32(mask)) }
                if watch >= 0 {
                    if watched.insert(watch).inserted { hasNewDirectories = true }
                } else if errno != ENOENT, errno != ENOTDIR, errno != ELOOP {
                    isComplete = false
                }
            }
        }

        /// Waits for events and reads them all; false after a cancellation.
        func wait(_ cancellation: Cancellation) -> Bool {
            if hasNewDirectories {
                hasNewDirectories = false
                return !cancellation.isCancelled
            }
            while !cancellation.isCancelled {
                var waiting = [
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&waiting, 2, 1000) > 0, waiting[0].revents != 0 else { continue }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while read(descriptor, &buffer, buffer.count) > 0 {}
                return true
            }
            return false
        }
    }
#endif
