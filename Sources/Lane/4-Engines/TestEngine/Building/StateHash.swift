import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A hash of strings and files.
struct StateHash {
    private var hash = StableHash()

    var value: UInt64 { hash.value }

    mutating func add(_ text: String) {
        hash.add(text)
        // A value that is not a byte separates strings.
        hash.add(0x1_0000)
    }

    /// Adds the path, size, times and number of a file, and follows links. Returns `false` if it does not exist.
    mutating func add(file path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        add(path)
        #if os(Linux)
            let times = [status.st_mtim, status.st_ctim]
        #else
            let times = [status.st_mtimespec, status.st_ctimespec]
        #endif
        for time in times {
            hash.add(UInt64(bitPattern: Int64(time.tv_sec)))
            hash.add(UInt64(bitPattern: Int64(time.tv_nsec)))
        }
        hash.add(UInt64(status.st_ino))
        hash.add(UInt64(bitPattern: Int64(status.st_size)))
        return true
    }
}
