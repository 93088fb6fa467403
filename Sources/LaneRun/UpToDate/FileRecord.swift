import Archives
import Files

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
    ///
    /// - Parameter folder: an open folder that a relative path begins at.
    init?(_ path: String, in folder: Int32 = AT_FDCWD) {
        var status = stat()
        let isThere = withSystemPath(path) {
            fstatat(folder, $0, &status, 0) == 0 || fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
        }
        guard isThere else { return nil }
        self.init(status)
    }

    /// The stamp of a link itself; `nil` when there is none.
    init?(ofLink path: String) {
        var status = stat()
        guard withSystemPath(path, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
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

    /// The bits of the mode that say what it is: a file, a folder, a link that leads nowhere, a pipe, a device.
    var kind: UInt32 { mode & UInt32(S_IFMT) }
    var isFile: Bool { kind == UInt32(S_IFREG) }
    var isDirectory: Bool { kind == UInt32(S_IFDIR) }
    private var isLink: Bool { kind == UInt32(S_IFLNK) }

    /// A Boolean value that indicates whether neither a file, a folder nor a link is there: a pipe, a socket, a device.
    var isSpecial: Bool { !isFile && !isDirectory && !isLink }

    /// The bits that a program sees of a file beside its content: its kind, and whether a file can be executed.
    var visibleMode: UInt32 { kind | (isFile && mode & 0o111 != 0 ? 1 : 0) }

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

/// The folder below which files are looked at. It is kept open, so that the system has no longer path to walk than it
/// must.
final class RootFolder: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func stamp(of path: String) -> FileStamp? {
        if descriptor >= 0 || path.isAbsolutePath { return FileStamp(path, in: descriptor) }
        return FileStamp(Files.path(path, below: self.path))
    }
}

/// A file as it was at some moment: its stamp, and its content in 32 bytes.
struct FileRecord: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// Not there, or not to be read.
        case nothing
        case folder
        case bytes(SHA256Digest)
        /// A link to a folder, or to nothing, by the place that it leads to.
        case link(SHA256Digest)
        /// A pipe, a socket or a device, which is never read: its kind is all there is.
        case special
    }

    /// Relative to the root.
    let path: String
    var stamp: FileStamp
    /// When it was looked at, nanoseconds since 1970.
    var lookedAt: Int64
    let content: Content
    /// Whether this is how the file is now, and not what was written down of it.
    let isNewLook: Bool

    /// The file as it is now.
    init(_ path: String, below root: String) {
        let full = Files.path(path, below: root)
        self.path = path
        isNewLook = true
        lookedAt = FileStamp.now
        guard let stamp = FileStamp(full) else {
            self.stamp = FileStamp()
            content = .nothing
            return
        }
        self.stamp = stamp
        if stamp.isSpecial {
            content = .special
        } else if stamp.isFile {
            content = (try? SHA256.digest(ofFile: full)).map { .bytes($0) } ?? .nothing
        } else {
            content = Self.destination(of: full, below: root).map { .link(SHA256.digest(of: $0.pathBytes)) } ?? .folder
        }
    }

    /// The folder that a link leads to, however many others lie between, as seen from the root; the link's text where that
    /// is nothing.
    private static func destination(of link: String, below root: String) -> String? {
        guard fileKind(link) == .link else { return nil }
        guard let folder = resolvedPath(link) else { return try? linkTarget(link) }
        return relativePath(folder, to: resolvedPath(root) ?? root)
    }

    init(path: String, stamp: FileStamp, lookedAt: Int64, content: Content) {
        self.path = path
        self.stamp = stamp
        self.lookedAt = lookedAt
        self.content = content
        isNewLook = false
    }

    enum Comparison {
        case same
        /// The content is the same, but the look was worth noting.
        case sameAgain(FileRecord)
        case changed
        case missing
    }

    /// Whether the file is as it was, as far as that is certain without reading it.
    func isUnchanged(in root: RootFolder) -> Bool {
        guard let now = root.stamp(of: path) else { return content == .nothing }
        return hasContent(of: now)
    }

    /// How the file stands now beside this; reads it only when its stamp says nothing certain.
    func compared(in root: RootFolder) -> Comparison {
        guard let now = root.stamp(of: path) else {
            return content == .nothing ? .same : .missing
        }
        if hasContent(of: now) { return .same }
        let fresh = FileRecord(path, below: root.path)
        let isSame = fresh.content == content && fresh.stamp.visibleMode == stamp.visibleMode
        return isSame && content != .nothing ? .sameAgain(fresh) : .changed
    }

    private func hasContent(of now: FileStamp) -> Bool { now == stamp && stamp.isSettled(at: lookedAt) }
}
