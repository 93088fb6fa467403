import Files
package import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Waits for files below a folder to change.
///
/// What changed is always found by comparing the files' stamps. On Linux inotify says when to compare, so that waiting
/// costs nothing; elsewhere, and where the system has no watch left to give, it is done a few times a second.
package final class FileWatch {
    /// Folders that a build writes to.
    static let usuallyIgnored: Set<String> = ["dist", "build"]

    private static let pollInterval = Duration.milliseconds(300)

    private let root: String
    private let ignored: Set<String>
    private var last: TreeSnapshot
    #if os(Linux)
        private var notices: ChangeNotices?
    #endif

    /// Remembers how the files are now. Names that begin with a dot are never watched.
    package init(root: String, ignoring ignored: Set<String> = FileWatch.usuallyIgnored) {
        self.root = root
        self.ignored = ignored
        #if os(Linux)
            // Watched before looked at, so that no change falls between the two.
            notices = ChangeNotices()
            notices?.watch(TreeSnapshot(root: root, ignoring: ignored).watchedFolders)
        #endif
        last = TreeSnapshot(root: root, ignoring: ignored)
    }

    /// Blocks until files have changed and then been left alone for `rest`.
    ///
    /// - Returns: their paths relative to the root, sorted; `nil` when `cancellation` came first.
    package func nextChange(rest: Duration = .milliseconds(100), cancellation: Cancellation) -> [String]? {
        while waitForNotice(cancellation) {
            var latest = TreeSnapshot(root: root, ignoring: ignored)
            if latest.changes(since: last).isEmpty {
                // Without a file's change, a folder may have been made. Something that changes all the time where a link
                // leads to is no reason to look all the time.
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
            notices?.watch(snapshot.watchedFolders)
        #endif
    }

    /// False when cancelled.
    private func waitForNotice(_ cancellation: Cancellation) -> Bool {
        #if os(Linux)
            if let notices, notices.isComplete { return notices.wait(cancellation) }
        #endif
        return !cancellation.wait(Self.pollInterval)
    }
}

#if os(Linux)
    /// inotify on a number of folders: says that something happened in one of them, and no more.
    final class ChangeNotices {
        private let descriptor: Int32
        /// The numbers that the system gave: a folder that was removed and made again gets another one.
        private var watched: Set<Int32> = []
        /// A folder may have got files before it was watched.
        private var hasNewFolders = false
        /// False once a folder could not be watched, as happens when a user's watches are used up.
        private(set) var isComplete = true

        init?() {
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
        }

        deinit {
            close(descriptor)
        }

        func watch(_ folders: Set<String>) {
            let events = IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
            for folder in folders {
                let watch = withSystemPath(folder) { inotify_add_watch(descriptor, $0, UInt32(events)) }
                if watch >= 0 {
                    if watched.insert(watch).inserted { hasNewFolders = true }
                } else if errno != ENOENT, errno != ENOTDIR, errno != ELOOP {
                    isComplete = false
                }
            }
        }

        /// Waits for the next events and takes them all; false when cancelled first.
        func wait(_ cancellation: Cancellation) -> Bool {
            if hasNewFolders {
                hasNewFolders = false
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
