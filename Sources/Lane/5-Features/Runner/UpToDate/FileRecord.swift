import Archives
import CLibrary
import OperatingSystem

/// The metadata of a file. Equal stamps mean equal content, unless the file was written within one tick of the clock
/// before the stamp was read.
struct FileStamp: Equatable, Sendable {
    /// The resolution of file times in nanoseconds, rounded up. A second change within this time may not change the
    /// stamp.
    private static let clockResolution: Int64 = 20_000_000

    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var inode: UInt64 = 0
    var mode: UInt32 = 0

    /// Reads the metadata of a file; `nil` if there is none. Follows symbolic links, except dangling ones.
    ///
    /// - Parameter directory: The descriptor of the directory for relative paths.
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

    /// Returns a Boolean value that indicates whether the stamp detects all changes since it was read.
    ///
    /// - Parameter time: The time of the read in nanoseconds since 1970.
    func isSettled(at time: Int64) -> Bool {
        modified < time - Self.clockResolution && changed < time - Self.clockResolution
    }

    /// The file type bits of the mode: file, directory, dangling link, pipe, device.
    var kind: UInt32 { mode & UInt32(S_IFMT) }
    var isFile: Bool { kind == UInt32(S_IFREG) }
    var isDirectory: Bool { kind == UInt32(S_IFDIR) }
    private var isLink: Bool { kind == UInt32(S_IFLNK) }

    /// A Boolean value that indicates whether the file is a pipe, a socket or a device.
    var isSpecial: Bool { !isFile && !isDirectory && !isLink }

    /// The relevant bits of the mode: the file type, and the execute permission of a file.
    var visibleMode: UInt32 { kind | (isFile && mode & 0o111 != 0 ? 1 : 0) }

    /// The current time of the clock for file times, in nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// The root directory, which stays open because paths relative to a descriptor are resolved faster.
final class RootDirectory: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = withSystemPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func stamp(of path: String) -> FileStamp? {
        if descriptor >= 0 || path.isAbsolutePath { return FileStamp(path, in: descriptor) }
        return FileStamp(OperatingSystem.path(path, relativeTo: self.path))
    }
}

/// The state of a file at some time: its stamp and a digest of its content.
struct FileRecord: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// The file does not exist or cannot be read.
        case nothing
        case directory
        case bytes(SHA256Digest)
        /// A link to a directory, or a dangling link, with the digest of its destination.
        case link(SHA256Digest)
        /// A pipe, a socket or a device, whose content is never read.
        case special
    }

    /// The path, relative to the root.
    let path: String
    var stamp: FileStamp
    /// The time in nanoseconds since 1970 at which the file was read.
    var examinedAt: Int64
    let content: Content
    /// A Boolean value that indicates whether the file was read in this run and the record is not from the cache.
    let isNew: Bool

    /// Reads the state of a file.
    init(_ path: String, below root: String) {
        let full = OperatingSystem.path(path, relativeTo: root)
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

    /// Returns the directory that a link refers to through any number of links, relative to the root, or the text of a
    /// dangling link.
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
        /// The content is the same and the stamp has changed.
        case touched(FileRecord)
        case changed
        case missing
    }

    /// Returns a Boolean value that indicates whether the stamp alone proves that the file is unchanged.
    func isUnchanged(in root: RootDirectory) -> Bool {
        guard let now = root.stamp(of: path) else { return content == .nothing }
        return hasContent(of: now)
    }

    /// Compares the file with this record. Reads the content only if the stamp is not sufficient.
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
