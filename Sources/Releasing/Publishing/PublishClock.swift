/// What publishing has to know of time.
package struct PublishClock: Sendable {
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    /// Waits instead of the cancellation's own wait, for tests; gives whether it was cancelled.
    let wait: (@Sendable (Duration) -> Bool)?

    package init(now: @escaping @Sendable () -> Int64, wait: (@Sendable (Duration) -> Bool)? = nil) {
        self.now = now
        self.wait = wait
    }
}
