import Synchronization

/// Values that take time to find out, so nobody does before an expression speaks of them; then all are, once.
package final class DeferredValues: Sendable {
    private let find: @Sendable () -> [String: Value]
    private let found = Mutex<[String: Value]?>(nil)

    package init(_ find: @escaping @Sendable () -> [String: Value]) {
        self.find = find
    }

    /// Finds them out at the first call, which may take as long as that takes; other threads wait for it.
    package var all: [String: Value] {
        found.withLock { found in
            if let found { return found }
            let values = find()
            found = values
            return values
        }
    }
}
