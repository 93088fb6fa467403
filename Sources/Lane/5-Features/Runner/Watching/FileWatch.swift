import CLibrary
package import OperatingSystem

/// A watch for changes of files below a directory, and of files that match declared patterns.
///
/// The watch compares the stamps of files. On Linux, inotify events trigger the comparison. On other systems, and if
/// the user's limit of inotify watches is reached, the watch polls every `pollInterval`. In remote file systems, it also
/// polls every `remotePollInterval`, because changes on other machines cause no events.
package final class FileWatch {
    /// The usual directories of build products.
    static let defaultIgnored: Set<String> = ["dist", "build"]

    private static let pollInterval = Duration.milliseconds(300)
    private static let remotePollInterval = Duration.seconds(1)
    /// The maximum time to wait for the last of several changes.
    private static let settlingTimeout = Duration.seconds(2)

    private let root: String
    private let ignored: Set<String>
    /// Returns the files that git does not ignore.
    private let withoutIgnored: ([String]) -> [String]
    private var patterns: [FilePattern] = []
    private var last: TreeSnapshot
    /// The contents of the files at the last snapshot.
    private var contents: [[UInt8]: FileRecord] = [:]
    #if os(Linux)
        private var events: DirectoryEvents?
    #endif

    /// Creates a watch for changes from now on. Files whose names start with a dot are watched only if they match a
    /// declared pattern.
    ///
    /// - Parameters:
    ///   - ignored: The directories that are skipped, relative to the root.
    ///   - withoutIgnored: Returns the files that git does not ignore. Changes of others are not reported unless they
    ///     match a declared pattern.
    ///   - remote: The file systems whose files other machines can change.
    package init(
        root: String, ignoring ignored: Set<String> = FileWatch.defaultIgnored,
        remote: RemoteFileSystems = RemoteFileSystems(),
        withoutIgnored: @escaping ([String]) -> [String] = { $0 }
    ) {
        self.root = root
        self.ignored = ignored
        self.withoutIgnored = withoutIgnored
        #if os(Linux)
            // The directories are watched before the snapshot, so no change between the two is lost.
            events = DirectoryEvents(remote)
            events?.watch(TreeSnapshot(root: root, ignoring: ignored).watchedDirectories)
        #endif
        last = TreeSnapshot(root: root, ignoring: ignored)
        readContents(of: withoutIgnored(last.paths))
    }

    /// Watches also the files that match patterns.
    package func declare(_ added: [FilePattern]) {
        let new = added.filter { pattern in !patterns.contains { $0.text == pattern.text } }
        guard !new.isEmpty else { return }
        patterns += new
        let before = last.declared
        last.addDeclared(of: snapshot())
        readContents(of: last.declared.subtracting(before).map { String(decoding: $0, as: UTF8.self) })
        adopt(last)
    }

    /// Returns the files whose contents have changed since the last call of a function of the watch, sorted and relative
    /// to the root. Returns immediately.
    ///
    /// - Parameter steps: The steps that have run. A file with the contents that one of them recorded as its output
    ///   counts as unchanged.
    package func changedContents(after steps: [String] = []) -> [String] {
        let latest = snapshot()
        let changes = reported(latest, since: last)
        let before = contents
        adopt(latest)
        readContents(of: changes)
        let written = StepCache(root: root, isReadOnly: true).outputs(of: steps)
        return changes.filter { change in
            let (path, now) = (Array(change.utf8), contents[Array(change.utf8)])
            return !hasSameContent(before[path], now) && !(written[path]?.contains { hasSameContent($0, now) } ?? false)
        }
    }

    /// Blocks until files have changed and no further change follows within `rest`.
    ///
    /// - Returns: The changed paths, sorted and relative to the root. Empty after the timeout, and `nil` after a
    ///   cancellation.
    package func nextChange(
        rest: Duration = .milliseconds(100), timeout: Duration? = nil, cancellation: Cancellation
    ) -> [String]? {
        let end = timeout.map { Monotonic.now + $0 }
        while waitForEvent(until: end, cancellation) {
            if let end, Monotonic.now >= end { return [] }
            var latest = snapshot()
            if reported(latest, since: last).isEmpty {
                // The event may be a new directory, or a change of an ignored file or beside the target of a link. The
                // pause limits the load of frequent changes.
                adopt(latest)
                if cancellation.wait(rest) { return nil }
                continue
            }
            let settlingEnd = Monotonic.now + Self.settlingTimeout
            var isSettled = false
            while !isSettled, Monotonic.now < settlingEnd {
                if cancellation.wait(rest) { return nil }
                let next = snapshot()
                isSettled = reported(next, since: latest).isEmpty
                latest = next
            }
            let changes = reported(latest, since: last)
            adopt(latest)
            readContents(of: changes)
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    private func snapshot() -> TreeSnapshot { TreeSnapshot(root: root, ignoring: ignored, declared: patterns) }

    /// Returns the changes of files that are declared or not ignored.
    private func reported(_ latest: TreeSnapshot, since earlier: TreeSnapshot) -> [String] {
        let changes = latest.changes(since: earlier)
        guard !changes.isEmpty else { return [] }
        let patterns = earlier.declared.union(latest.declared)
        let declared = Set(changes.filter { patterns.contains(Array($0.utf8)) })
        let others = Set(withoutIgnored(changes.filter { !declared.contains($0) }))
        return changes.filter { declared.contains($0) || others.contains($0) }
    }

    private func readContents(of files: [String]) {
        for file in files { contents[Array(file.utf8)] = FileRecord(file, below: root) }
    }

    private func hasSameContent(_ before: FileRecord?, _ now: FileRecord?) -> Bool {
        (before?.content ?? .nothing) == now?.content
            && (before?.stamp.visibleMode ?? 0) == now?.stamp.visibleMode
    }

    private func adopt(_ snapshot: TreeSnapshot) {
        last = snapshot
        #if os(Linux)
            events?.watch(snapshot.watchedDirectories)
        #endif
    }

    /// Waits until files may have changed or the time has come. Returns `false` after a cancellation.
    private func waitForEvent(until end: Duration?, _ cancellation: Cancellation) -> Bool {
        #if os(Linux)
            if let events, events.isComplete {
                let poll = events.mayBeMissing ? Monotonic.now + Self.remotePollInterval : nil
                return events.wait(until: [end, poll].compactMap { $0 }.min(), cancellation)
            }
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
        /// A Boolean value that indicates whether changes in one of the directories may cause no events.
        private(set) var mayBeMissing = false
        private let remote: RemoteFileSystems

        init?(_ remote: RemoteFileSystems) {
            self.remote = remote
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
                    guard watched.insert(watch).inserted else { continue }
                    hasNewDirectories = true
                    if remote.contain(directory) { mayBeMissing = true }
                } else if errno != ENOENT, errno != ENOTDIR, errno != ELOOP {
                    isComplete = false
                }
            }
        }

        /// Waits for events and reads all of them, or until a time. Returns `false` after a cancellation.
        func wait(until end: Duration?, _ cancellation: Cancellation) -> Bool {
            if hasNewDirectories {
                hasNewDirectories = false
                return !cancellation.isCancelled
            }
            while !cancellation.isCancelled {
                var waiting = [
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                let rest = end.map { $0 - Monotonic.now } ?? .seconds(1)
                guard rest > .zero else { return true }
                guard poll(&waiting, 2, min(rest, .seconds(1)).pollMilliseconds) > 0, waiting[0].revents != 0 else {
                    continue
                }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while read(descriptor, &buffer, buffer.count) > 0 {}
                return true
            }
            return false
        }
    }
#endif
