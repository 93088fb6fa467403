import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The monotonic clock.
package enum Monotonic {
    /// The time since an unspecified moment, comparable until the next boot.
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
}

extension Duration {
    /// The duration in milliseconds for `poll`, rounded up and clamped to its range.
    package var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, fraction) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
