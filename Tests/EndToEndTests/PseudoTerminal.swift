import OperatingSystem
import TestSupport

#if os(Linux)
    import Glibc

    /// A terminal with an interactive shell. It takes keys, and returns the bytes of the screen.
    final class PseudoTerminal {
        /// `TIOCSPTLCK` and `TIOCGPTN` of `<asm-generic/ioctls.h>`, which the overlay lacks.
        private static let unlock: UInt = 0x4004_5431
        private static let number: UInt = 0x8004_5430

        private let master: Int32
        private var shell: pid_t = 0
        /// The output so far, including the echo of typed keys.
        private(set) var screen = ""
        private var unseen = ""

        /// Starts `bash` in a directory, with the built `lane` as a command.
        init(in directory: String, columns: UInt16 = 100) throws {
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var number: UInt32 = 0
            var isLocked: Int32 = 0
            guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0, ioctl(master, Self.number, &number) == 0
            else {
                throw POSIXFailure("open /dev/ptmx", errno)
            }
            resize(columns: columns)
            var environment = plainEnvironment().filter { $0.key != "COLUMNS" }
            environment.merge(["TERM": "xterm", "PS1": "$ ", "HISTFILE": "/dev/null", "PROMPT_COMMAND": ""]) { $1 }
            environment["PATH"] = parentDirectory(BuiltTool.lane.path) + ":" + (environment["PATH"] ?? "")
            let slave = "/dev/pts/\(number)"
            shell = try Self.start(
                ["bash", "--norc", "--noprofile", "--noediting", "-i"], on: slave, in: directory, environment)
        }

        deinit {
            kill(-shell, SIGHUP)
            close(master)
            kill(shell, SIGKILL)
            waitpid(shell, nil, 0)
        }

        func type(_ text: String) {
            _ = text.withCString { write(master, $0, strlen($0)) }
        }

        func resize(columns: UInt16) {
            var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        }

        /// Reads until the text appears after the previous match. Returns `false` if it does not appear in time.
        func shows(_ text: String) -> Bool {
            waits {
                guard let range = unseen.firstRange(of: text) else { return false }
                unseen = String(unseen[range.upperBound...])
                return true
            }
        }

        /// Reads until a condition holds. Returns `false` if it does not hold within the time that a busy machine may need.
        func waits(until condition: () -> Bool) -> Bool {
            let end = ContinuousClock.now + .seconds(300)
            while ContinuousClock.now < end {
                // The condition is not evaluated again, because its subject may change.
                if condition() { return true }
                read()
            }
            return condition()
        }

        /// Reads the output of a short time.
        private func read() {
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = Glibc.read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            screen += text
            unseen += text
        }

        /// Starts a new session, in which the first opened terminal becomes the controlling terminal.
        private static func start(
            _ words: [String], on terminal: String, in directory: String, _ environment: [String: String]
        ) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            let newSession: Int16 = 0x80
            var signals = sigset_t()
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            // The test thread may block signals.
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            posix_spawnattr_setflags(
                &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
            // `env` changes the directory, because not every system can start a child in another directory.
            let line = ["env", "-C", directory] + words
            var arguments: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
            var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var child: pid_t = 0
            let code = posix_spawnp(&child, "env", &actions, &attributes, &arguments, &variables)
            guard code == 0 else { throw POSIXFailure("posix_spawn", code) }
            return child
        }
    }
#endif
