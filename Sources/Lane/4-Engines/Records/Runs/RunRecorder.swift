package import Events
import OperatingSystem

/// A receiver that writes the events of a run to a store.
///
/// It omits the progress of builds, the output of passed tests, and the middle of long output. If events cannot be
/// written, the run is not kept.
package final class RunRecorder: EventReceiver {
    /// The maximum size of a step's output that is kept completely, in bytes.
    private static let outputLimit = 256 << 10
    /// The size of the buffer, in bytes.
    private static let bufferSize = 64 << 10

    private let store: PastRunStore
    private var encoder = EventLineEncoder()
    private var path: String?
    private var file: LogFile?
    private var waiting: [UInt8] = []
    private var size = 0
    /// The output of running tests.
    private var testOutput: [TestID: CappedOutput] = [:]
    /// The number of output bytes of each step, and the end of the output beyond the limit.
    private var stepOutput: [String: (count: Int, end: CappedOutput)] = [:]

    package init(_ store: PastRunStore) { self.store = store }

    package func receive(_ event: LaneEvent) {
        switch event.kind {
        case .runStarted(let start):
            path = store.path(startedAt: start.startedAt)
            write(event)
        case .buildProgress, .test(.slow): break
        case .test(.output(let test?, let bytes)): testOutput[test, default: CappedOutput()].append(bytes)
        case .test(.ended(let result)):
            if let output = testOutput.removeValue(forKey: result.test), result.outcome.isFailure {
                write(event.with(.test(.output(result.test, Array(output.text.utf8)))))
            }
            write(event)
        case .stepOutput(let chunk): keep(chunk, of: event)
        case .stepEnded:
            writeEnd(of: event)
            write(event)
        case .runEnded:
            write(event)
            finish()
        default: write(event)
        }
    }

    private func keep(_ chunk: OutputChunk, of event: LaneEvent) {
        let step = event.step?.description ?? ""
        var output = stepOutput[step] ?? (0, CappedOutput(head: 0))
        output.count += chunk.bytes.count
        if output.count <= Self.outputLimit { write(event) } else { output.end.append(chunk.bytes) }
        stepOutput[step] = output
    }

    private func writeEnd(of event: LaneEvent) {
        guard let output = stepOutput.removeValue(forKey: event.step?.description ?? ""), !output.end.isEmpty else {
            return
        }
        let chunk = OutputChunk(stream: .standardOutput, bytes: Array(output.end.text.utf8))
        write(event.with(.stepOutput(chunk)))
    }

    private func write(_ event: LaneEvent) {
        waiting += encoder.line(for: event)
        if waiting.count >= Self.bufferSize { flush() }
    }

    private func flush() {
        guard let path else { return waiting.removeAll() }
        do throws(FileError) {
            if file == nil {
                try makeDirectories(parentDirectory(path))
                file = try LogFile(path)
            }
            try file?.append(waiting)
            size += waiting.count
        } catch {
            // A record that cannot be written does not make the run fail.
            self.path = nil
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private func finish() {
        flush()
        file = nil
        if path != nil { store.prune(afterAdding: size) }
    }
}

extension LaneEvent {
    /// Returns an event at the same time with other data.
    fileprivate func with(_ kind: Kind) -> LaneEvent {
        LaneEvent(number: number, offset: offset, step: step, kind: kind)
    }
}
