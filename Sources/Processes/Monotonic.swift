#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Time since some fixed moment, never set back.
package enum Monotonic {
    /// Means something only in comparison with another one of the same boot.
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
}

extension Duration {
    /// For `poll`: rounded up so that a wait never ends just before its moment, and held within bounds.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, fraction) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
