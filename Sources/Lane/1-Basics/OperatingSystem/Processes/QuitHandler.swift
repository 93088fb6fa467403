import Synchronization

/// A function that handles SIGQUIT, which then does not end the run.
///
/// The thread of `SignalWatch` calls the function and handles no other signal during the call.
package final class QuitHandler: Sendable {
    private static let handlers = Mutex<[QuitHandler]>([])

    private let handle: @Sendable () -> Void

    private init(_ handle: @escaping @Sendable () -> Void) { self.handle = handle }

    /// Adds a handler until `remove` is called.
    package static func add(_ handle: @escaping @Sendable () -> Void) -> QuitHandler {
        let handler = QuitHandler(handle)
        handlers.withLock { $0.append(handler) }
        return handler
    }

    /// Removes the handler. A call that has already started may still be running.
    package func remove() { Self.handlers.withLock { handlers in handlers.removeAll { $0 === self } } }

    /// Calls all handlers. Returns `false` if there are none.
    static func callAll() -> Bool {
        let handlers = handlers.withLock { $0 }
        for handler in handlers { handler.handle() }
        return !handlers.isEmpty
    }
}
