/// The clock of publishing.
package struct PublishClock: Sendable {
    /// A closure that returns the time in seconds since 1970.
    let now: @Sendable () -> Int64
    /// A closure that replaces waiting in tests. It returns whether the wait was cancelled.
    let wait: (@Sendable (Duration) -> Bool)?

    package init(now: @escaping @Sendable () -> Int64, wait: (@Sendable (Duration) -> Bool)? = nil) {
        self.now = now
        self.wait = wait
    }
}
