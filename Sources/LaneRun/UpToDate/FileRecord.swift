import Archives

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the system tells of a file without reading it. While this stays the same, so does the content, as long as the
/// file was not written at the very time at which it was looked at.
struct FileStamp: Equatable, Sendable {
    /// Times of files move in steps; within this span of the look a further change may have left no trace.
    private static let clockStep: Int64 = 20_000_000

    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var inode: UInt64 = 0
    var mode: UInt32 = 0

    /// `nil` when nothing is there; links are followed, one that leads nowhere is itself what is there.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 || lstat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        mode = UInt32(status.st_mode)
        #if os(Linux)
            (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
        #else
            (modified, changed) = (Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec))
        #endif
    }

    init() {}

    /// Whether the file had been at rest for long enough when it was looked at, in nanoseconds since 1970.
    func isSettled(at look: Int64) -> Bool {
        modified < look - Self.clockStep && changed < look - Self.clockStep
    }

    var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

    /// The present, by the clock that stamps files.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A file as it was at some moment: its stamp, and its content in 32 bytes.
struct FileRecord: Equatable, Sendable {
    /// Relative to the root.
    let path: String
    var stamp: FileStamp
    /// When it was looked at, nanoseconds since 1970.
    var lookedAt: Int64
    /// Empty for a file that was not there.
    let digest: [UInt8]

    /// The file as it is now; one that is not there or cannot be read has an empty digest.
    init(_ path: String, below root: String) {
        let full = path.hasPrefix("/") ? path : "\(root)/\(path)"
        self.path = path
        lookedAt = FileStamp.now
        guard let stamp = FileStamp(full) else {
            self.stamp = FileStamp()
            digest = []
            return
        }
        self.stamp = stamp
        digest = stamp.isDirectory ? [1] : (try? SHA256.digest(ofFile: full).bytes) ?? []
    }

    init(path: String, stamp: FileStamp, lookedAt: Int64, digest: [UInt8]) {
        self.path = path
        self.stamp = stamp
        self.lookedAt = lookedAt
        self.digest = digest
    }

    enum Comparison {
        case same
        /// The content is the same, but the look was worth noting.
        case sameAgain(FileRecord)
        case changed
        case missing
    }

    /// How the file stands now beside this; reads it only when its stamp says nothing certain.
    func compared(below root: String) -> Comparison {
        let full = path.hasPrefix("/") ? path : "\(root)/\(path)"
        guard let now = FileStamp(full) else { return digest.isEmpty ? .same : .missing }
        if now == stamp, stamp.isSettled(at: lookedAt) { return .same }
        let fresh = FileRecord(path, below: root)
        return fresh.digest == digest && !digest.isEmpty ? .sameAgain(fresh) : .changed
    }
}
