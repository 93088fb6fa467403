import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The child's ends of its three streams; `nil` means the one of `lane` itself.
struct ChildEnds {
    enum Input {
        case null, inherited
        case descriptor(Int32)
    }

    var input: Input
    var output: Int32?
    var error: Int32?
}

/// One call of `posix_spawn` with everything set so that the child begins clean: own session or group, empty signal mask,
/// default dispositions, no descriptor but the three streams.
struct Spawning {
    let command: Command
    let mark: String

    /// Starts the child and gives its number, which is also its group's.
    func start(_ ends: ChildEnds) throws(SpawnError) -> pid_t {
        let search = ExecutableSearch(environment: command.environment, directory: command.directory)
        let path: String
        do {
            path = try search.locate(command.executable)
        } catch {
            try checkDirectory()
            throw error
        }
        let environment = StringVector(
            environment: environment(for: path), hiding: command.hidesMarks ? [ChildMark.child, ChildMark.root] : [])
        let arguments = StringVector([command.executable] + command.arguments)
        guard !arguments.isCut, !environment.isCut else { throw .failed(command.executable, errno: EINVAL) }
        var (code, child) = spawnPatiently(path, arguments, environment, ends)
        if code == ENOEXEC {
            // A script without `#!`: every shell runs it, so do we.
            let script = StringVector(["sh", path.hasPrefix("/") ? path : "./\(path)"] + command.arguments)
            (code, child) = spawnPatiently("/bin/sh", script, environment, ends)
        }
        guard code == 0 else {
            try checkDirectory()
            if code == E2BIG { throw .tooLong(command.executable, command.oversize) }
            let file = path.hasPrefix("/") ? path : "\(command.directory ?? ".")/\(path)"
            if let unfit = Unfit(file, errno: code) { throw .unfit(command.executable, unfit) }
            throw .failed(command.executable, errno: code)
        }
        return child
    }

    /// Returns the command's environment with the mark; where that is hidden, as the caller's shell would have set it.
    private func environment(for path: String) -> [String: String] {
        var environment = command.environment
        environment[ChildMark.child] = mark
        // Shells name the started program in it: now that is `lane`.
        if command.hidesMarks, environment["_"] != nil { environment["_"] = path }
        return environment
    }

    private func checkDirectory() throws(SpawnError) {
        guard let directory = command.directory else { return }
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .directoryNotFound(directory)
        }
    }

    /// Tries again for a moment when the executable was just written and another thread's newborn child still holds it
    /// open (ETXTBSY), or when the system is out of processes (EAGAIN).
    private func spawnPatiently(
        _ path: String, _ arguments: borrowing StringVector, _ environment: borrowing StringVector,
        _ ends: ChildEnds
    ) -> (code: Int32, child: pid_t) {
        var pause: useconds_t = 1000
        while true {
            let result = spawn(path, arguments, environment, ends)
            guard result.code == ETXTBSY || result.code == EAGAIN || result.code == EINTR, pause < 300_000 else {
                return result
            }
            usleep(pause)
            pause *= 2
        }
    }

    private func spawn(
        _ path: String, _ arguments: borrowing StringVector, _ environment: borrowing StringVector,
        _ ends: ChildEnds
    ) -> (code: Int32, child: pid_t) {
        #if os(Linux)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }

        connect(ends, &actions)
        if let directory = command.directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
        #if os(Linux)
            posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        #endif
        set(&attributes)

        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, &attributes, arguments.pointers, environment.pointers)
        return (code, child)
    }

    #if os(Linux)
        private typealias FileActions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
    #else
        private typealias FileActions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
    #endif

    /// Gives the child its three streams.
    private func connect(_ ends: ChildEnds, _ actions: inout FileActions) {
        let inputs: Int32? =
            switch ends.input {
            case .null: nil
            case .descriptor(let number): number
            case .inherited: 0
            }
        for target: Int32 in 0...2 {
            let source = target == 0 ? inputs : target == 1 ? ends.output ?? 1 : ends.error ?? 2
            // `lane` itself may have been started with a stream closed.
            if let source, fcntl(source, F_GETFD) >= 0 {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", target == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
    }

    /// An empty signal mask, default dispositions, and a session or a group of its own.
    private func set(_ attributes: inout Attributes) {
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        // Without a terminal of its own a child cannot stop for a password that nobody is asked for: it fails instead.
        flags |= command.input == .inherited ? Int32(POSIX_SPAWN_SETPGROUP) : Self.newSession
        #if !os(Linux)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    }

    /// `POSIX_SPAWN_SETSID` of `<spawn.h>`, which the overlays leave out.
    #if os(Linux)
        private static let newSession: Int32 = 0x80
    #else
        private static let newSession: Int32 = 0x0400
    #endif
}
