import Synchronization

/// A set of values that is computed when an expression reads the first of them.
package final class DeferredValues: Sendable {
    private let find: @Sendable () -> [String: Value]
    private let found = Mutex<[String: Value]?>(nil)

    package init(_ find: @escaping @Sendable () -> [String: Value]) {
        self.find = find
    }

    /// All values. The first access computes them and blocks other threads until they are known.
    package var all: [String: Value] {
        found.withLock { found in
            if let found { return found }
            let values = find()
            found = values
            return values
        }
    }
}
