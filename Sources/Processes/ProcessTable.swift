import ASCII

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

#if os(Linux)
    /// What `/proc` says about processes. Each answer may be out of date when it arrives.
    enum ProcessTable {
        /// Orphans are handed to the main thread, so its list of children has them all. The system may pass over one while
        /// another leaves the list, which nobody does who is not reaped: to miss none, ask while no one is.
        static func adoptedChildren() -> [pid_t] {
            guard let file = ownList else { return children(of: getpid(), thread: getpid()) ?? [] }
            var bytes: [UInt8] = []
            var isAtEnd = false
            while !isAtEnd {
                let start = bytes.count
                bytes += [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                    count = max(0, pread(file.number, buffer.baseAddress, 4096, off_t(start)))
                }
                // The system fills what it can: less than half means that there is no more.
                isAtEnd = bytes.count - start < 2048
            }
            return numbers(in: bytes)
        }

        /// Asked for after every child, so kept open.
        private static let ownList: Descriptor? = {
            let number = open("/proc/self/task/\(getpid())/children", O_RDONLY | O_CLOEXEC)
            return number >= 0 ? try? Descriptor(number).raised() : nil
        }()

        /// The given processes and all below them, each once.
        static func withDescendants(_ roots: [pid_t]) -> [pid_t] {
            var found = roots
            var known = Set(roots)
            var next = 0
            while next < found.count {
                let process = found[next]
                next += 1
                for thread in threads(of: process) {
                    for child in children(of: process, thread: thread) ?? [] where known.insert(child).inserted {
                        found.append(child)
                    }
                }
            }
            return found
        }

        /// False for one that has ended and only waits to be reaped.
        static func isAlive(_ process: pid_t) -> Bool {
            status(of: process)?.isAlive ?? false
        }

        /// The variables that a process was started with, each ended by a NUL.
        ///
        /// While a program is loaded, which takes longest on a machine that is short of time, its process has none; then
        /// this waits for them. They are empty for good where they are so at three looks and have their place in memory.
        static func environment(of process: pid_t) -> [UInt8] {
            var emptyLooks = 0
            for _ in 0..<2000 {
                guard let environment = contents("/proc/\(process)/environ") else { break }
                guard environment.isEmpty else { return environment }
                guard let status = status(of: process), status.isAlive else { break }
                if status.hasEnvironment { emptyLooks += 1 }
                if emptyLooks == 3 { break }
                usleep(1000)
            }
            return []
        }

        static func group(of process: pid_t) -> pid_t? {
            status(of: process)?.group
        }

        private struct Status {
            let isAlive: Bool
            let group: pid_t
            let hasEnvironment: Bool
        }

        /// The third, fifth and fifty-first field of `/proc/<pid>/stat` (proc(5)): state, group, and where in memory the
        /// environment ends. The second field is a name that may hold anything, in parentheses.
        private static func status(of process: pid_t) -> Status? {
            guard let text = contents("/proc/\(process)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else {
                return nil
            }
            let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 49)
            guard fields.count > 48, let state = fields[0].first, let group = numbers(in: Array(fields[2])).first else {
                return nil
            }
            return Status(
                isAlive: state != UInt8(ascii: "Z") && state != UInt8(ascii: "X"), group: group,
                hasEnvironment: !fields[48].elementsEqual("0".utf8))
        }

        /// Every process that there is.
        static func all() -> [pid_t] { numbers(in: "/proc") }

        private static func threads(of process: pid_t) -> [pid_t] { numbers(in: "/proc/\(process)/task") }

        /// The names in a folder that are numbers.
        private static func numbers(in folder: String) -> [pid_t] {
            guard let directory = opendir(folder) else { return [] }
            defer { closedir(directory) }
            var numbers: [pid_t] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
                if name.first?.isDigit == true { numbers += Self.numbers(in: name) }
            }
            return numbers
        }

        private static func children(of process: pid_t, thread: pid_t) -> [pid_t]? {
            contents("/proc/\(process)/task/\(thread)/children").map(numbers)
        }

        private static func numbers(in text: [UInt8]) -> [pid_t] {
            var numbers: [pid_t] = []
            var isInNumber = false
            for byte in text {
                if byte.isDigit {
                    let digit = pid_t(byte - UInt8(ascii: "0"))
                    if isInNumber {
                        numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ digit
                    } else {
                        numbers.append(digit)
                    }
                }
                isInNumber = byte.isDigit
            }
            return numbers
        }

        static func contents(_ path: String) -> [UInt8]? {
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { return nil }
            let file = Descriptor(number)
            var bytes: [UInt8] = []
            var isAtEnd = false
            while !isAtEnd {
                let start = bytes.count
                bytes += [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                    count = max(0, read(file.number, buffer.baseAddress, 4096))
                }
                isAtEnd = bytes.count == start
            }
            return bytes
        }
    }
#endif
