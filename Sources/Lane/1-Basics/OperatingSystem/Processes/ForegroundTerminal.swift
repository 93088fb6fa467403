import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The terminal of an interactive child, whose group is the foreground group until the child ends.
struct ForegroundTerminal {
    private let child: pid_t
    private var modes = termios()

    /// Makes the child's group the foreground group. Returns `nil` if `lane` has no terminal or is in the background.
    init?(for child: pid_t) {
        guard tcgetpgrp(0) == getpgrp() else { return nil }
        self.child = child
        tcgetattr(0, &modes)
        Self.give(to: child)
        // The system may have stopped the child because it used the terminal from the background.
        kill(-child, SIGCONT)
    }

    /// Makes the group of `lane` the foreground group again, and restores the terminal modes.
    func reclaim() {
        Self.give(to: getpgrp())
        var modes = modes
        tcsetattr(0, TCSADRAIN, &modes)
    }

    /// Stops `lane` if the user has stopped the child, and continues both together.
    func followStop() {
        guard lane_has_stopped(child) == 1 else { return }
        reclaim()
        // `raise` signals this thread, which therefore stops here until `lane` is continued.
        raise(SIGSTOP)
        Self.give(to: child)
        kill(-child, SIGCONT)
    }

    /// Sets the foreground group. The system stops background processes that do this, unless they block the signal.
    private static func give(to group: pid_t) {
        var set = sigset_t()
        var previous = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        tcsetpgrp(0, group)
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}
