package import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A watch for changes of files below a directory.
///
/// The watch compares the stamps of files. On Linux, inotify events trigger the comparison. On other systems, and if
/// the user's limit of inotify watches is reached, the watch polls every `pollInterval`.
package final class FileWatch {
    /// The usual directories of build products.
    static let defaultIgnored: Set<String> = ["dist", "build"]

    private static let pollInterval = Duration.milliseconds(300)

    private let root: String
    private let ignored: Set<String>
    private var last: TreeSnapshot
    #if os(Linux)
        private var events: DirectoryEvents?
    #endif

    /// Creates a watch for changes from now on. Files whose names start with a dot are never watched.
    package init(root: String, ignoring ignored: Set<String> = FileWatch.defaultIgnored) {
        self.root = root
        self.ignored = ignored
        #if os(Linux)
            // The directories are watched before the snapshot, so no change between the two is lost.
            events = DirectoryEvents()
            events?.watch(TreeSnapshot(root: root, ignoring: ignored).watchedDirectories)
        #endif
        last = TreeSnapshot(root: root, ignoring: ignored)
    }

    /// Blocks until files have changed and no further change follows within `rest`.
    ///
    /// - Returns: The changed paths, sorted and relative to the root, or `nil` after a cancellation.
    package func nextChange(rest: Duration = .milliseconds(100), cancellation: Cancellation) -> [String]? {
        while waitForEvent(cancellation) {
            var latest = TreeSnapshot(root: root, ignoring: ignored)
            if latest.changes(since: last).isEmpty {
                // The event may be a new directory or a change beside the target of a link. The pause limits the load
                // of frequent changes beside a target.
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

    /// Waits until files may have changed. Returns `false` after a cancellation.
    private func waitForEvent(_ cancellation: Cancellation) -> Bool {
        #if os(Linux)
            if let events, events.isComplete { return events.wait(cancellation) }
        #endif
        return !cancellation.wait(Self.pollInterval)
    }
}

#if os(Linux)
    /// An inotify instance that reports changes in several directories.
    final class DirectoryEvents {
        private let descriptor: Int32
        /// The watch descriptors. A directory that is removed and created again gets a new descriptor.
        private var watched: Set<Int32> = []
        /// A Boolean value that indicates whether directories were added. Their files may have changed before the
        /// watch.
        private var hasNewDirectories = false
        /// A Boolean value that indicates whether all directories are watched. It is `false` if the user's limit of
        /// watches is reached.
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

        /// Waits for events and reads all of them. Returns `false` after a cancellation.
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
