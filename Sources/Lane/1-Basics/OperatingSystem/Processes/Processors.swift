import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The number of processors that this process can use, at least one. `taskset` or a container may limit it.
package var availableProcessors: Int {
    #if os(Linux)
        let allowed = Int(lane_allowed_processors())
        if allowed > 0 { return allowed }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
