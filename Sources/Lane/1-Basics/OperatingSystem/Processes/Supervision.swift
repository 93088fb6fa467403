import CLibrary
import CSpawn

/// The supervision of one child: it reads the child's output, enforces limits, and ends descendants.
struct Supervision: ~Copyable {
    typealias Handler = (OutputSource, UnsafeRawBufferPointer) -> Void

    /// The time to wait for output after the child's end if another process has the pipe open.
    private static let drain = Duration.milliseconds(100)
    /// The maximum time to wait while output continues.
    private static let maximumDrain = Duration.seconds(1)
    /// The time from SIGTERM to SIGKILL for descendants of a child that ended by itself.
    private static let leakGrace = Duration.seconds(1)
    /// The time from the first signal to SIGKILL for a child without another limit.
    private static let defaultGrace = Duration.seconds(5)
    /// The maximum time to wait after SIGKILL for processes in the kernel.
    private static let killTimeout = Duration.seconds(3)
    /// The interval of checks for a stopped interactive child.
    private static let stopCheck = Duration.milliseconds(50)

    private let leader: pid_t
    private let slot: Int
    private let descendants: Descendants
    private let limits: RunLimits
    private let startedAt: Duration
    private let exit: ExitNotice
    private let terminal: ForegroundTerminal?
    private var lastReaping: Duration
    private let streams: ChildStreams

    private var stoppedBy: ExitReport.Stop?
    /// The time of SIGKILL after a request to end.
    private var killAt: Duration?
    private var hasKilled = false
    /// The signal of the first request to end.
    private var stopSignal = SIGTERM
    /// The processes that got a signal. A second one would interrupt their cleanup.
    private var signalled: Set<pid_t> = []

    init(
        leader: pid_t, slot: Int, mark: String, limits: RunLimits, startedAt: Duration, streams: ChildStreams,
        isInteractive: Bool
    ) {
        self.leader = leader
        self.slot = slot
        descendants = Descendants(leader: leader, mark: mark)
        self.limits = limits
        self.startedAt = startedAt
        exit = ExitNotice(for: leader)
        terminal = isInteractive ? ForegroundTerminal(for: leader) : nil
        lastReaping = startedAt
        self.streams = streams
    }

    /// Waits until the leader and all descendants have ended and the output is read.
    consuming func untilEnd(output handle: Handler) -> ExitReport {
        // If the system does not report the child's end, the end of its output is the first sign.
        if exit.descriptor < 0 { streams.closeOutput() }
        while !waitForLeader(handle) {
            enforceLimits()
            terminal?.followStop()
            reapOrphans()
        }
        terminal?.reclaim()
        streams.closeOutput()
        drain(handle)
        let leakedProcesses = endSurvivors(handle)
        let (termination, hadSiblings) = ChildTable.reap(leader, in: slot)
        // Without siblings, all orphans were descendants of this leader. Otherwise, orphans of an unknown leader may
        // remain.
        if hadSiblings { Descendants.endUnmarkedOrphans() }
        return ExitReport(
            termination: termination, stoppedBy: stoppedBy, duration: Monotonic.now - startedAt,
            leakedProcesses: leakedProcesses)
    }

    /// Waits for an event. Returns `true` if the leader has ended.
    private mutating func waitForLeader(_ handle: Handler) -> Bool {
        let now = Monotonic.now
        var end = now + (terminal == nil ? exit.maximumWait : Self.stopCheck)
        if let killAt { end = min(end, killAt) }
        if stoppedBy == nil, let timeout = limits.timeout { end = min(end, startedAt + timeout) }
        // The descriptor of a cancellation stays readable after the first level, so the second level needs polling.
        if stoppedBy != nil { end = min(end, now + .milliseconds(20)) }
        let (isReady, _) = streams.pump(
            until: (exit.descriptor, stoppedBy == nil ? limits.cancellation?.descriptor ?? -1 : -1),
            timeout: end - now, handle: handle)
        return isReady || exit.descriptor < 0 ? exit.hasEnded : false
    }

    private mutating func enforceLimits() {
        let now = Monotonic.now
        let level = limits.cancellation?.level ?? .none
        if stoppedBy == nil {
            if level > .none {
                stoppedBy = .cancelled
                stopSignal = limits.cancellation?.stopSignal ?? SIGTERM
            } else if let timeout = limits.timeout, now - startedAt >= timeout {
                stoppedBy = .timeout
                limits.willTimeOut?()
            } else {
                return
            }
            killAt = Monotonic.now + (limits.grace ?? Self.defaultGrace)
            signalled.formUnion(descendants.request(stopSignal, of: descendants.all()))
        }
        if let killAt, level == .immediate || now >= killAt {
            hasKilled = true
            descendants.signal(SIGKILL, including: descendants.all())
            // The search may have missed a process that was being started.
            self.killAt = now + .milliseconds(20)
        }
    }

    /// Reaps orphans at intervals while the leader runs.
    private mutating func reapOrphans() {
        let now = Monotonic.now
        guard now - lastReaping >= .seconds(1) else { return }
        lastReaping = now
        Descendants.reapOrphans()
    }

    /// Sends SIGTERM to the survivors that got no signal yet, and to new ones that ignore the first signal.
    private mutating func terminate(_ survivors: [pid_t], _ new: [pid_t]) {
        var waiting = Set(survivors.filter { !signalled.contains($0) })
        if stopSignal != SIGTERM { waiting.formUnion(new.filter { Descendants.ignores(stopSignal, $0) }) }
        guard !waiting.isEmpty else { return }
        for process in descendants.withoutInnerChildren(survivors) where waiting.contains(process) {
            signalled.insert(process)
            kill(process, SIGTERM)
            kill(process, SIGCONT)
        }
    }

    /// Reads the rest of the leader's output. Waits for a moment if another process has the pipe open.
    private mutating func drain(_ handle: Handler) {
        let start = Monotonic.now
        var lastRead = start
        while streams.isOpen {
            let now = Monotonic.now
            let end = min(lastRead + Self.drain, start + Self.maximumDrain)
            let (_, didRead) = streams.pump(until: (-1, -1), timeout: end - now, handle: handle)
            if didRead { lastRead = Monotonic.now } else if now >= end { return }
        }
    }

    /// Ends the descendants of the leader with SIGTERM, and SIGKILL after the rest of the grace period.
    ///
    /// - Returns: The processes that are known to be descendants of this leader.
    private mutating func endSurvivors(_ handle: Handler) -> [ObservedProcess] {
        var survivors = descendants.survivors()
        guard !survivors.isEmpty else { return [] }
        var seen = Set<pid_t>()
        var own: [ObservedProcess] = []
        let start = Monotonic.now
        let deadline = killAt ?? start + min(limits.grace ?? Self.defaultGrace, Self.leakGrace)
        var pause = Duration.milliseconds(1)
        while !survivors.isEmpty {
            let new = survivors.filter { seen.insert($0).inserted }
            own += new.filter(descendants.isOwn).map(ObservedProcess.init)
            let now = Monotonic.now
            if hasKilled || now >= deadline || limits.cancellation?.level == .immediate {
                hasKilled = true
                if now >= deadline + Self.killTimeout { break }
                descendants.signal(SIGKILL, including: survivors)
            } else {
                terminate(survivors, new)
            }
            _ = streams.pump(until: (-1, -1), timeout: pause, handle: handle)
            pause = min(pause * 2, .milliseconds(20))
            ChildTable.reap(leakedProcesses: survivors)
            survivors = descendants.survivors()
        }
        return own
    }
}

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
        Monotonic.suspend()
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
