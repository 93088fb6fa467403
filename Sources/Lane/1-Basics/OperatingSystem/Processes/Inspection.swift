import CSpawn

/// Denies other processes of the user access to the memory and the environment of this process. Programs that this
/// process starts are not affected.
///
/// Call it on the main thread. Root has access if it may trace processes. The function has an effect on Linux only.
///
/// - Parameter outerRoot: The directory of the outer run if another `lane` started this process. `LeakedProcesses` then
///   identifies this process by its name.
package func denyInspection(outerRoot: String?) {
    #if os(Linux)
        if let outerRoot { _ = lane_set_name(ChildMark.processName(outerRoot: outerRoot)) }
        _ = lane_deny_inspection()
    #endif
}
