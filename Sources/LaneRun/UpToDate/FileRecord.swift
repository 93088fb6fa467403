import Archives
import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The metadata of a file. While it stays the same, so does the content, unless the file was written within one step of
/// the clock before it was examined.
struct FileStamp: Equatable, Sendable {
    /// The resolution of file times in nanoseconds, rounded up: a second change within it may leave no trace.
    private static let clockStep: Int64 = 20_000_000

    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var inode: UInt64 = 0
    var mode: UInt32 = 0

    /// Reads the metadata of a file; `nil` if there is none. Follows links, except one that leads nowhere.
    ///
    /// - Parameter directory: The descriptor of the directory that a relative path starts from.
    init?(_ path: String, in directory: Int32 = AT_FDCWD) {
        var status = stat()
        let isThere = withSystemPath(path) {
            fstatat(directory, $0, &status, 0) == 0 || fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
        }
        guard isThere else { return nil }
        self.init(status)
    }

    /// Reads the metadata of a link itself; `nil` if there is none.
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

    /// Returns a Boolean value that indicates whether the last change was long enough before the file was examined.
    ///
    /// - Parameter time: The time of the examination in nanoseconds since 1970.
    func isSettled(at time: Int64) -> Bool {
        modified < time - Self.clockStep && changed < time - Self.clockStep
    }

    /// The bits of the mode for the kind: a file, a directory, a link that leads nowhere, a pipe, a device.
    var kind: UInt32 { mode & UInt32(S_IFMT) }
    var isFile: Bool { kind == UInt32(S_IFREG) }
    var isDirectory: Bool { kind == UInt32(S_IFDIR) }
    private var isLink: Bool { kind == UInt32(S_IFLNK) }

    /// A Boolean value that indicates whether it is a pipe, a socket or a device.
    var isSpecial: Bool { !isFile && !isDirectory && !isLink }

    /// The bits of the mode that matter to a program: the kind, and whether a file is executable.
    var visibleMode: UInt32 { kind | (isFile && mode & 0o111 != 0 ? 1 : 0) }

    /// The present time of the clock of files, in nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// The root directory, kept open so that paths below it are resolved faster.
final class RootDirectory: Sendable {
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
        return FileStamp(Files.path(path, relativeTo: self.path))
    }
}

/// The state of a file at some moment: its stamp, and a digest of its content.
struct FileRecord: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// The file does not exist, or cannot be read.
        case nothing
        case directory
        case bytes(SHA256Digest)
        /// A link to a directory, or to nothing: the digest of its destination.
        case link(SHA256Digest)
        /// A pipe, a socket or a device, which is never read.
        case special
    }

    /// Relative to the root.
    let path: String
    var stamp: FileStamp
    /// The time of the examination in nanoseconds since 1970.
    var examinedAt: Int64
    let content: Content
    /// A Boolean value that indicates whether it was examined in this run, and not read from a record.
    let isNew: Bool

    /// Examines a file.
    init(_ path: String, below root: String) {
        let full = Files.path(path, relativeTo: root)
        self.path = path
        isNew = true
        examinedAt = FileStamp.now
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
            content =
                Self.destination(of: full, below: root).map { .link(SHA256.digest(of: $0.pathBytes)) } ?? .directory
        }
    }

    /// Returns the directory that a link leads to through any number of links, relative to the root; the link's text if
    /// there is none.
    private static func destination(of link: String, below root: String) -> String? {
        guard fileKind(link) == .link else { return nil }
        guard let directory = resolvedPath(link) else { return try? linkTarget(link) }
        return relativePath(directory, to: resolvedPath(root) ?? root)
    }

    init(path: String, stamp: FileStamp, examinedAt: Int64, content: Content) {
        self.path = path
        self.stamp = stamp
        self.examinedAt = examinedAt
        self.content = content
        isNew = false
    }

    enum Comparison {
        case same
        /// The content is the same, with a new stamp.
        case touched(FileRecord)
        case changed
        case missing
    }

    /// Returns a Boolean value that indicates whether the file is certain to be unchanged by its stamp alone.
    func isUnchanged(in root: RootDirectory) -> Bool {
        guard let now = root.stamp(of: path) else { return content == .nothing }
        return hasContent(of: now)
    }

    /// Compares the file with this record. Reads its content only if the stamp is not certain.
    func compared(in root: RootDirectory) -> Comparison {
        guard let now = root.stamp(of: path) else {
            return content == .nothing ? .same : .missing
        }
        if hasContent(of: now) { return .same }
        let fresh = FileRecord(path, below: root.path)
        let isSame = fresh.content == content && fresh.stamp.visibleMode == stamp.visibleMode
        return isSame && content != .nothing ? .touched(fresh) : .changed
    }

    private func hasContent(of now: FileStamp) -> Bool { now == stamp && stamp.isSettled(at: examinedAt) }
}
