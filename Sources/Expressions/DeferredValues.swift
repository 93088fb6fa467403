import Synchronization

/// Values that are computed when an expression first reads one of them.
package final class DeferredValues: Sendable {
    private let find: @Sendable () -> [String: Value]
    private let found = Mutex<[String: Value]?>(nil)

    package init(_ find: @escaping @Sendable () -> [String: Value]) {
        self.find = find
    }

    /// All values. The first access computes them, while other threads wait.
    package var all: [String: Value] {
        found.withLock { found in
            if let found { return found }
            let values = find()
            found = values
            return values
        }
    }
}
