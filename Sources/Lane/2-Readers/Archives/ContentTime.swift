import CLibrary
package import OperatingSystem

/// Modification times that are computed from contents.
///
/// SwiftPM compares times and sizes. The files of a new checkout have new times, so a restored `.build` would be out of
/// date. With one fixed time for all files, SwiftPM would miss a change that keeps the size. The times are whole
/// seconds, because some file systems of containers store no fractions.
package enum ContentTime {
    /// Sets the time of a file.
    package static func set(of path: String) throws(FileError) {
        let digest = SHA256.digest(of: try readFile(path)).bytes
        // The times are in a range of about sixteen years from 2001, so none is in the future.
        let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let time = timespec(tv_sec: 1_000_000_000 + number % 500_000_000, tv_nsec: 0)
        var times = [time, time]
        guard withSystemPath(path, { utimensat(AT_FDCWD, $0, &times, 0) }) == 0 else { throw FileError("date", path) }
    }
}
