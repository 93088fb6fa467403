import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The terminal lent to an interactive child: its group gets the keys and their signals until it ends.
struct ForegroundTerminal {
    private let child: pid_t
    private var modes = termios()

    /// `nil` when `lane` has no terminal, or is in its background itself.
    init?(lendingTo child: pid_t) {
        guard isatty(0) == 1, tcgetpgrp(0) == getpgrp() else { return nil }
        self.child = child
        tcgetattr(0, &modes)
        Self.give(to: child)
        // It may have wanted the terminal before it had it, and been stopped.
        kill(-child, SIGCONT)
    }

    /// Takes the terminal back, with the modes that it had.
    func takeBack() {
        Self.give(to: getpgrp())
        var modes = modes
        tcsetattr(0, TCSADRAIN, &modes)
    }

    /// When a person has stopped the child, stops `lane` with it, and lets both go on together.
    func followStop() {
        guard lane_has_stopped(child) == 1 else { return }
        takeBack()
        // To this thread, so that it does not go on before it is continued.
        raise(SIGSTOP)
        Self.give(to: child)
        kill(-child, SIGCONT)
    }

    /// Whoever is in the background is stopped for handing the terminal on, unless it blocks that signal.
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
