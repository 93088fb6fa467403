package import Events
import Synchronization

/// The events that the steps of a test send.
package final class RecordedEvents: EventReceiver, Sendable {
    private let state = Mutex<[LaneEvent.Kind]>([])

    package init() {}

    package var all: [LaneEvent.Kind] { state.withLock { $0 } }

    /// The texts of messages.
    package var messages: [String] {
        all.compactMap { kind in
            if case .message(let message) = kind { message.text } else { nil }
        }
    }

    /// The output of programs.
    package var output: String {
        let bytes: [[UInt8]] = all.compactMap { kind in
            if case .stepOutput(let chunk) = kind { chunk.bytes } else { nil }
        }
        return String(decoding: bytes.joined(), as: UTF8.self)
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) { state.withLock { $0.append(event.kind) } }
}
