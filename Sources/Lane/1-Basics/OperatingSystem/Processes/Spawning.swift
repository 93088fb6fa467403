import CLibrary
import CSpawn

/// The child's ends of its three streams. `nil` means the stream of `lane`.
struct ChildEnds {
    enum Input {
        case null, inherited
        case descriptor(Int32)
    }

    var input: Input
    var output: Int32?
    var error: Int32?
}

/// A call of `posix_spawn` with a clean state: a new session or group, an empty signal mask, default signal actions,
/// and no descriptors except the three streams.
struct Spawning {
    let command: Command
    let mark: String

    /// Starts the child. Returns its process ID, which is also the ID of its group.
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
            environment: command.environment, changes: changes(for: path),
            hiding: command.hidesMarks ? [ChildMark.child, ChildMark.root] : [])
        let arguments = StringVector([command.executable] + command.arguments)
        guard !arguments.isCut, !environment.isCut else { throw .failed(command.executable, errno: EINVAL) }
        var (code, child) = spawnWithRetries(path, arguments, environment, ends)
        if code == ENOEXEC {
            // Like a shell, runs a script without `#!` with `sh`.
            let script = StringVector(["sh", path.hasPrefix("/") ? path : "./\(path)"] + command.arguments)
            (code, child) = spawnWithRetries("/bin/sh", script, environment, ends)
        }
        guard code == 0 else {
            try checkDirectory()
            if code == E2BIG { throw .tooLong(command.executable, command.oversize) }
            let file = path.hasPrefix("/") ? path : "\(command.directory ?? ".")/\(path)"
            if let error = ExecError(file, errno: code) { throw .cannotExecute(command.executable, error) }
            throw .failed(command.executable, errno: code)
        }
        return child
    }

    /// Returns the variables that differ from the command's environment.
    private func changes(for path: String) -> [(name: String, value: String)] {
        let mark = (ChildMark.child, mark)
        // A shell would set `_` to the path of the started program.
        return command.hidesMarks && command.environment["_"] != nil ? [mark, ("_", path)] : [mark]
    }

    private func checkDirectory() throws(SpawnError) {
        guard let directory = command.directory, !isDirectory(directory) else { return }
        throw .directoryNotFound(directory)
    }

    /// Starts the child. Retries for a moment if the executable is still open for writing in the child of another
    /// thread (ETXTBSY), or if there are too many processes (EAGAIN).
    private func spawnWithRetries(
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
        if let directory = command.directory {
            withSystemPath(directory) { _ = posix_spawn_file_actions_addchdir_np(&actions, $0) }
        }
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

    /// The standard input of children without input. It stays open, because a child takes longer to open a file.
    private static let null = try? Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)).raised()

    /// Connects the three streams of the child.
    private func connect(_ ends: ChildEnds, _ actions: inout FileActions) {
        let inputs: Int32? =
            switch ends.input {
            case .null: Self.null?.number
            case .descriptor(let number): number
            case .inherited: 0
            }
        for target: Int32 in 0...2 {
            let source = target == 0 ? inputs : target == 1 ? ends.output ?? 1 : ends.error ?? 2
            // The stream may have been closed at the start of `lane`.
            if let source, fcntl(source, F_GETFD) >= 0 {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", target == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
    }

    /// Sets an empty signal mask, default signal actions, and a new session or group.
    private func set(_ attributes: inout Attributes) {
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        // In a new session, a child has no terminal and fails instead of waiting for a password.
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

    /// `POSIX_SPAWN_SETSID` of `<spawn.h>`, which the overlays do not import.
    #if os(Linux)
        private static let newSession: Int32 = 0x80
    #else
        private static let newSession: Int32 = 0x0400
    #endif
}

/// NUL-terminated strings and an array of pointers to them for `execve`, in two blocks of memory.
///
/// Sendable, because the memory does not change after the initialization.
struct StringVector: ~Copyable, @unchecked Sendable {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let characters: UnsafeMutableRawPointer
    /// A Boolean value that indicates whether a string contains NUL, at which the kernel would truncate the string.
    let isCut: Bool

    /// Creates at most `count` strings from the parts that `fill` appends.
    private init(count: Int, byteCount: Int, fill: (inout Filler) -> Void) {
        pointers = .allocate(capacity: count + 1)
        characters = .allocate(byteCount: max(1, byteCount), alignment: 1)
        var filler = Filler(pointers: pointers, next: characters, start: characters)
        fill(&filler)
        filler.pointers.pointee = nil
        isCut = filler.isCut
    }

    init(_ texts: [String]) {
        let size = texts.reduce(0) { $0 + $1.utf8.count + 1 }
        self.init(count: texts.count, byteCount: size) { filler in
            for text in texts {
                filler.append(text)
                filler.endText()
            }
        }
    }

    /// Creates a string `name=value` for each variable.
    ///
    /// - Parameters:
    ///   - changes: The variables that replace those of the same name. Without a changed copy of the dictionary, a child
    ///     starts measurably faster.
    ///   - hidden: The names of variables that the child must not see.
    init(
        environment: [String: String], changes: [(name: String, value: String)], hiding hidden: [String] = []
    ) {
        var size = changes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
        for (name, value) in environment { size += name.utf8.count + value.utf8.count + 2 }
        self.init(count: environment.count + changes.count, byteCount: size) { filler in
            for (name, value) in environment where !changes.contains(where: { $0.name == name }) {
                filler.append(name, value, isHidden: hidden.contains(name))
            }
            for (name, value) in changes { filler.append(name, value, isHidden: hidden.contains(name)) }
        }
    }

    deinit {
        pointers.deallocate()
        characters.deallocate()
    }

    private struct Filler {
        var pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        var next: UnsafeMutableRawPointer
        var start: UnsafeMutableRawPointer
        var isCut = false

        mutating func append(_ text: String) {
            // The bytes are fewer than those of the text.
            if text.hasEscapedBytes {
                for byte in text.pathBytes { append(byte) }
                return
            }
            var text = text
            text.withUTF8 { bytes in
                guard let base = bytes.baseAddress else { return }
                next.copyMemory(from: base, byteCount: bytes.count)
                next += bytes.count
            }
        }

        mutating func append(_ byte: UInt8) {
            next.storeBytes(of: byte, as: UInt8.self)
            next += 1
        }

        mutating func append(_ name: String, _ value: String, isHidden: Bool) {
            append(name)
            append(isHidden ? ChildMark.hidingSeparator : UInt8(ascii: "="))
            append(value)
            endText()
        }

        /// Ends a string and checks it for NUL. Uses a fast search, because the check runs for the whole environment of
        /// each child.
        mutating func endText() {
            if memchr(start, 0, next - start) != nil { isCut = true }
            append(0)
            pointers.pointee = start.assumingMemoryBound(to: CChar.self)
            pointers += 1
            start = next
        }
    }
}
