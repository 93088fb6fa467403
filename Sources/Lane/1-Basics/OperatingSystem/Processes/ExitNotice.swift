import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A notification of a child's exit that does not reap it: a descriptor that becomes readable.
struct ExitNotice {
    private let child: pid_t
    private let source: Descriptor?

    init(for child: pid_t) {
        self.child = child
        #if os(Linux)
            let number = lane_pidfd_open(child)
        #else
            let number = kqueue()
            if number >= 0 {
                var change = kevent(
                    ident: UInt(child), filter: Int16(EVFILT_PROC), flags: UInt16(EV_ADD | EV_ONESHOT),
                    fflags: UInt32(bitPattern: NOTE_EXIT), data: 0, udata: nil)
                // The call fails if the child has already ended, which `hasEnded` detects.
                _ = kevent(number, &change, 1, nil, 0, nil)
            }
        #endif
        source = number >= 0 ? Descriptor(number) : nil
    }

    /// The descriptor for `poll`, or -1 if the system has none. In this case, `maximumWait` is the polling interval.
    var descriptor: Int32 { source?.number ?? -1 }

    /// The maximum time to wait before another check.
    var maximumWait: Duration {
        #if os(Linux)
            source == nil ? .milliseconds(5) : .seconds(1)
        #else
            .milliseconds(source == nil ? 5 : 100)
        #endif
    }

    var hasEnded: Bool { lane_has_ended(child) != 0 }
}
