import Synchronization

private let left = Mutex<[any Sendable]>([])

/// Keeps a value until the process ends, which is near: to free thousands of steps one by one takes longer than to leave
/// them to the system.
func leaveToTheSystem(_ value: some Sendable) {
    left.withLock { $0.append(value) }
}
