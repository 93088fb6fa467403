#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sets the modification time of a file to a time in seconds since 1970, or to the current time of its file system.
package func setModificationTime(of path: String, to time: Double? = nil) throws(FileError) {
    guard let time else {
        guard withSystemPath(path, { utimensat(AT_FDCWD, $0, nil, 0) }) == 0 else { throw FileError("date", path) }
        return
    }
    let seconds = time.rounded(.down)
    let value = timespec(tv_sec: Int(seconds), tv_nsec: Int((time - seconds) * 1e9))
    var times = [value, value]
    guard withSystemPath(path, { utimensat(AT_FDCWD, $0, &times, 0) }) == 0 else { throw FileError("date", path) }
}

/// Returns the modification time of a file in seconds since 1970.
package func modificationTime(of path: String) throws(FileError) -> Double {
    var status = stat()
    guard withSystemPath(path, { stat($0, &status) }) == 0 else { throw FileError("read", path) }
    #if canImport(Glibc)
        let time = status.st_mtim
    #else
        let time = status.st_mtimespec
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
