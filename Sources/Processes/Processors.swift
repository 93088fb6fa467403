import CSpawn

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
