#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A number that changes with whatever is added to it.
struct Mark {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(UInt64(byte)) }
        add(0x1_0000)
    }

    /// Path, size, times and number of a file, links followed; false when it is not there.
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
            add(UInt64(bitPattern: Int64(time.tv_sec)))
            add(UInt64(bitPattern: Int64(time.tv_nsec)))
        }
        add(UInt64(status.st_ino))
        add(UInt64(bitPattern: Int64(status.st_size)))
        return true
    }

    private mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
