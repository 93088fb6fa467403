import CSpawn
package import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How many processors this process may use, at least one: fewer than the machine has where `taskset` or a container says
/// so.
package var availableProcessors: Int {
    #if os(Linux)
        let allowed = Int(lane_allowed_processors())
        if allowed > 0 { return allowed }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

extension Thread {
    /// Starts one that begins at once where another processor is idle. A system may put a new thread behind the one that
    /// starts it, which then waits for it or makes it wait, some milliseconds long.
    package static func beside(_ body: @escaping @Sendable () -> Void) -> Thread? {
        #if canImport(Glibc)
            guard let all = ProcessorSet.allowed(), let others = all.withoutCurrent() else { return Thread(body) }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            others.set(in: &attributes)
            let beside = Thread(with: &attributes) {
                all.allow()
                body()
            }
            // Some sandboxes let nobody choose.
            return beside ?? Thread(body)
        #else
            return Thread(body)
        #endif
    }
}

#if canImport(Glibc)
    /// Some of the system's processors.
    private struct ProcessorSet {
        private var set = cpu_set_t()

        /// Those that the calling thread may run on; `nil` where the system has more than fit in here.
        static func allowed() -> ProcessorSet? {
            var processors = ProcessorSet()
            guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &processors.set) == 0 else { return nil }
            return processors
        }

        /// These without the one on which the calling thread runs; `nil` where there is no other.
        func withoutCurrent() -> ProcessorSet? {
            let current = Int(sched_getcpu())
            var others = self
            let isEmpty = withUnsafeMutableBytes(of: &others.set) { bytes in
                let words = bytes.assumingMemoryBound(to: UInt.self)
                let (word, bit) = current.quotientAndRemainder(dividingBy: UInt.bitWidth)
                if words.indices.contains(word) { words[word] &= ~(1 << UInt(bit)) }
                return words.allSatisfy { $0 == 0 }
            }
            return isEmpty ? nil : others
        }

        /// Where a thread begins.
        func set(in attributes: inout pthread_attr_t) {
            var set = set
            pthread_attr_setaffinity_np(&attributes, MemoryLayout<cpu_set_t>.size, &set)
        }

        /// Where the calling thread may run from now on.
        func allow() {
            var set = set
            sched_setaffinity(0, MemoryLayout<cpu_set_t>.size, &set)
        }
    }
#endif
