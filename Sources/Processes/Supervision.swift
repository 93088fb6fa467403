#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Watches one child from its birth on: hands on what it prints, stops it when it must, and ends whatever outlives it.
struct Supervision: ~Copyable {
    typealias Handler = (OutputSource, UnsafeRawBufferPointer) -> Void

    /// After its end, how long a child's output is waited for when something still holds the pipe.
    private static let drain = Duration.milliseconds(100)
    /// The same when it keeps coming.
    private static let longestDrain = Duration.seconds(1)
    /// How long what outlives a child that ended by itself gets between TERM and KILL.
    private static let strayGrace = Duration.seconds(1)
    /// After KILL, how long to wait for processes that the system does not let go of.
    private static let patience = Duration.seconds(3)
    /// How often a terminal's borrower is asked whether it was stopped.
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
    /// When what was asked to end is made to end.
    private var killAt: Duration?
    private var hasKilled = false

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
        terminal = isInteractive ? ForegroundTerminal(lendingTo: leader) : nil
        lastReaping = startedAt
        self.streams = streams
    }

    /// Returns when the leader has ended, its output is read and nothing that it started is left.
    consuming func untilEnd(output handle: Handler) -> ExitReport {
        // Where the system tells of no end, that of its output is the first sign.
        if exit.descriptor < 0 { streams.letGoOfOutput() }
        while !waitForLeader(handle) {
            enforceLimits()
            OrphanGuard.startIfDue(startedAt)
            terminal?.followStop()
            reapOrphans()
        }
        terminal?.takeBack()
        streams.letGoOfOutput()
        drain(handle)
        let strays = endSurvivors(handle)
        let (termination, hadNeighbours) = ChildTable.reap(leader, in: slot)
        // Always alone, it was held to account for every orphan; otherwise some may be left that cannot be told apart.
        if hadNeighbours { Descendants.endUnclaimed() }
        return ExitReport(
            termination: termination, stoppedBy: stoppedBy, duration: Monotonic.now - startedAt, strays: strays)
    }

    /// Sleeps until something happens; true once the leader has ended.
    private mutating func waitForLeader(_ handle: Handler) -> Bool {
        let now = Monotonic.now
        var end = now + (terminal == nil ? exit.longestWait : Self.stopCheck)
        if let killAt { end = min(end, killAt) }
        if OrphanGuard.isAwaited { end = min(end, startedAt + OrphanGuard.delay) }
        if stoppedBy == nil, let timeout = limits.timeout { end = min(end, startedAt + timeout) }
        // A cancellation's descriptor stays readable from the first level on: for the second one we look now and then.
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
            } else if let timeout = limits.timeout, now - startedAt >= timeout {
                stoppedBy = .timeout
            } else {
                return
            }
            killAt = now + limits.grace
            terminate(descendants.all())
        }
        if let killAt, level == .immediate || now >= killAt {
            hasKilled = true
            descendants.signal(SIGKILL, including: descendants.all())
            // What was just being started may have been missed.
            self.killAt = now + .milliseconds(20)
        }
    }

    /// Now and then takes the statuses of orphans that ended by themselves while the leader runs on.
    private mutating func reapOrphans() {
        let now = Monotonic.now
        guard now - lastReaping >= .seconds(1) else { return }
        lastReaping = now
        Descendants.reapOrphans()
    }

    /// CONT goes along, as a stopped process would take TERM only when somebody wakes it.
    private func terminate(_ processes: [pid_t]) {
        descendants.signal(SIGTERM, including: processes)
        descendants.signal(SIGCONT, including: processes)
    }

    /// Reads what the leader left in its pipes, and a little longer when something else holds them.
    private mutating func drain(_ handle: Handler) {
        let start = Monotonic.now
        var lastRead = start
        while streams.isOpen {
            let now = Monotonic.now
            let end = min(lastRead + Self.drain, start + Self.longestDrain)
            let (_, didRead) = streams.pump(until: (-1, -1), timeout: end - now, handle: handle)
            if didRead { lastRead = Monotonic.now } else if now >= end { return }
        }
    }

    /// Ends whatever the leader left behind: TERM, what is left of the grace, KILL.
    ///
    /// - Returns: how many there were that surely came from this leader.
    private mutating func endSurvivors(_ handle: Handler) -> Int {
        var survivors = descendants.survivors()
        guard !survivors.isEmpty else { return 0 }
        var seen = Set<pid_t>()
        var own = 0
        let start = Monotonic.now
        let deadline = killAt ?? start + min(limits.grace, Self.strayGrace)
        var pause = Duration.milliseconds(1)
        while !survivors.isEmpty {
            let new = survivors.filter { seen.insert($0).inserted }
            own += new.count(where: descendants.isOwn)
            let now = Monotonic.now
            if hasKilled || now >= deadline || limits.cancellation?.level == .immediate {
                hasKilled = true
                if now >= deadline + Self.patience { break }
                descendants.signal(SIGKILL, including: survivors)
            } else if !new.isEmpty {
                terminate(survivors)
            }
            _ = streams.pump(until: (-1, -1), timeout: pause, handle: handle)
            pause = min(pause * 2, .milliseconds(20))
            ChildTable.reap(strays: survivors)
            survivors = descendants.survivors()
        }
        return own
    }
}
