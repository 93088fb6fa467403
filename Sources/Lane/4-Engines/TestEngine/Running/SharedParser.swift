import Events
import Synchronization
import ToolOutput

/// A parser of the event stream for two threads: the thread of the pipe, and the thread of the process.
final class SharedParser: Sendable {
    private let parser: Mutex<SwiftTestingEventParser>

    init(_ parser: SwiftTestingEventParser) { self.parser = Mutex(parser) }

    func consume(_ bytes: UnsafeRawBufferPointer, _ emit: (TestEvent) -> Void) {
        parser.withLock { $0.consume(bytes, emit: emit) }
    }

    func finish(_ emit: (TestEvent) -> Void) { parser.withLock { $0.finish(emit: emit) } }

    var suiteDisplayNames: [String: String] { parser.withLock { $0.suiteDisplayNames } }
}
