#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A stopwatch for the CPU time of this process, which is less affected by other processes than the elapsed time.
enum Stopwatch {
    private static var now: UInt64 {
        time(of: CLOCK_PROCESS_CPUTIME_ID)
    }

    #if canImport(Glibc)
        private static func time(of clock: clockid_t) -> UInt64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    #else
        private static func time(of clock: clockid_t) -> UInt64 { clock_gettime_nsec_np(clock) }
    #endif

    /// Returns the time in nanoseconds for one of `count` units of work, the minimum of several repetitions.
    static func nanoseconds(per count: Int, repetitions: Int = 7, _ body: () -> Void) -> Double {
        var least = UInt64.max
        for _ in 0..<repetitions {
            let start = now
            body()
            least = min(least, now - start)
        }
        return Double(least) / Double(max(count, 1))
    }
}
