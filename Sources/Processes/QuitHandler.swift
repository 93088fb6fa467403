import Synchronization

/// A function that is called for SIGQUIT, which then does not end the run.
///
/// It is called on the thread of `SignalWatch`, which handles no other signal meanwhile.
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

    /// Removes the handler. It may be in a call that started before.
    package func remove() { Self.handlers.withLock { handlers in handlers.removeAll { $0 === self } } }

    /// Calls all handlers. Returns `false` if there are none.
    static func callAll() -> Bool {
        let handlers = handlers.withLock { $0 }
        for handler in handlers { handler.handle() }
        return !handlers.isEmpty
    }
}
