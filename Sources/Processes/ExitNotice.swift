import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells when a child has ended, without reaping it: a descriptor that becomes readable then.
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
                // Fails when the child has ended already, which `hasEnded` then sees.
                _ = kevent(number, &change, 1, nil, 0, nil)
            }
        #endif
        source = number >= 0 ? Descriptor(number) : nil
    }

    /// For `poll`; -1 where the system gave none, and then `longestWait` says how often to look.
    var descriptor: Int32 { source?.number ?? -1 }

    /// How long one may sleep before looking again.
    var longestWait: Duration {
        #if os(Linux)
            source == nil ? .milliseconds(5) : .seconds(1)
        #else
            .milliseconds(source == nil ? 5 : 100)
        #endif
    }

    var hasEnded: Bool { lane_has_ended(child) != 0 }
}
