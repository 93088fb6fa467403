import CLibrary
import Text

/// Returns a Boolean value that indicates whether a process is running. A zombie is not running, even if its parent
/// never reaps it, as in a container without an init process.
package func processIsRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return errno == EPERM }
    #if os(Linux)
        return ProcessTable.isAlive(process)
    #else
        return true
    #endif
}

#if os(Linux)
    /// Access to processes in `/proc`. Results may be out of date.
    enum ProcessTable {
        /// Returns the children of the main thread, which adopts orphans.
        ///
        /// The system may skip a child while another child is removed from the list. For a complete list, reap no child
        /// during the call.
        static func adoptedChildren() -> [pid_t] {
            guard let file = ownList else { return children(of: getpid(), thread: getpid()) ?? [] }
            var bytes: [UInt8] = []
            var isAtEnd = false
            while !isAtEnd {
                let start = bytes.count
                bytes += [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                    count = max(0, pread(file.number, buffer.baseAddress, 4096, off_t(start)))
                }
                // A read that fills less than half of the buffer is the last one.
                isAtEnd = bytes.count - start < 2048
            }
            return numbers(in: bytes)
        }

        /// The list of children, kept open because it is read after every child.
        private static let ownList: Descriptor? = {
            let number = open("/proc/self/task/\(getpid())/children", O_RDONLY | O_CLOEXEC)
            return number >= 0 ? try? Descriptor(number).raised() : nil
        }()

        /// Returns processes and all their descendants, without duplicates.
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

        /// Returns a Boolean value that indicates whether a process is running. A zombie is not running.
        static func isAlive(_ process: pid_t) -> Bool {
            status(of: process)?.isAlive ?? false
        }

        /// Returns a Boolean value that indicates whether a process is a `lane` that another `lane` started.
        static func isInnerLane(_ process: pid_t) -> Bool {
            contents("/proc/\(process)/comm")?.starts(with: "lane:".utf8) ?? false
        }

        /// Returns a Boolean value that indicates whether a process ignores a signal.
        static func ignores(_ number: Int32, _ process: pid_t) -> Bool {
            guard let text = contents("/proc/\(process)/status") else { return false }
            let label = Array("SigIgn:\t".utf8)
            guard let line = text.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: label) }),
                let mask = UInt64(String(decoding: line.dropFirst(label.count), as: UTF8.self), radix: 16)
            else { return false }
            return mask & (1 << UInt64(number - 1)) != 0
        }

        /// Returns the environment of a process, with a NUL after each variable.
        ///
        /// A process has no environment while it loads a program, which can take long on a busy machine. The function
        /// waits until the environment is readable. It accepts an empty environment that has an address after three
        /// reads.
        static func environment(of process: pid_t) -> [UInt8] {
            var emptyReads = 0
            for _ in 0..<2000 {
                guard let environment = contents("/proc/\(process)/environ") else { break }
                guard environment.isEmpty else { return environment }
                guard let status = status(of: process), status.isAlive else { break }
                if status.hasEnvironment { emptyReads += 1 }
                if emptyReads == 3 { break }
                usleep(1000)
            }
            return []
        }

        private struct Status {
            let isAlive: Bool
            let hasEnvironment: Bool
        }

        /// Returns the third and fifty-first field of `/proc/<pid>/stat` (proc(5)): state, and the end address of the
        /// environment. The second field is a name in parentheses with any characters.
        private static func status(of process: pid_t) -> Status? {
            guard let text = contents("/proc/\(process)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else {
                return nil
            }
            let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 49)
            guard fields.count > 48, let state = fields[0].first else { return nil }
            return Status(
                isAlive: state != UInt8(ascii: "Z") && state != UInt8(ascii: "X"),
                hasEnvironment: !fields[48].elementsEqual("0".utf8))
        }

        /// Returns all processes.
        static func all() -> [pid_t] { numbers(in: "/proc") }

        private static func threads(of process: pid_t) -> [pid_t] { numbers(in: "/proc/\(process)/task") }

        /// Returns the names in a directory that are numbers.
        private static func numbers(in path: String) -> [pid_t] {
            guard let directory = opendir(path) else { return [] }
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
