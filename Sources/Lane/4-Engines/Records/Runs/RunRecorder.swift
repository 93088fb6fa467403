package import Events
package import OperatingSystem
package import Text

/// A receiver that writes the record of a run to a store: its events, notes for later runs, the logs of its steps, and
/// the results of its tests.
///
/// The file of events omits the progress of builds, the output of passed tests, and the middle of long output. After an
/// error in it, the recorder writes only logs.
package final class RunRecorder: EventReceiver {
    /// The maximum size of a step's output that is kept completely, in bytes.
    private static let outputLimit = 256 << 10
    /// The size of the buffer, in bytes.
    private static let bufferSize = 64 << 10

    private let store: RunStore
    private var encoder = EventLineEncoder()
    private var start: RunStart?
    private var failedStep: String?
    /// The path of the run's directory, relative to the root.
    private var directory: String?
    private var logs: StepLogs?
    private var results = CollectedResults()
    /// The first error in the results of tests.
    private var resultFailure: FileError?
    private var file: LogFile?
    private var failure: FileError?
    private var waiting: [UInt8] = []
    private var size = 0
    /// The output of running tests.
    private var testOutput: [TestID: CappedOutput] = [:]
    /// The number of output bytes of each step, and the end of the output beyond the limit.
    private var stepOutput: [String: (count: Int, end: CappedOutput)] = [:]

    package init(_ store: RunStore) { self.store = store }

    /// Adds a note for later runs, which `RunStore.notes` returns.
    ///
    /// - Parameter isDeferrable: A Boolean value that indicates whether the note may be lost if the run is killed.
    package func note(isDeferrable: Bool, _ members: (inout JSONWriter) -> Void) {
        waiting += RunStore.line(ofNote: members)
        if !isDeferrable { flush() }
    }

    /// Writes the record up to now. Returns the first errors in the file of events, in the results of tests, and in each
    /// log.
    ///
    /// - Parameter failedStep: The step that determined the status of the run, if any.
    package func save(failedStep: String?) -> (events: FileError?, results: FileError?, logs: [FileError]) {
        self.failedStep = failedStep
        flush()
        logs?.restoreLink()
        return (failure, resultFailure, logs?.failures ?? [])
    }

    /// Returns the path of a step's log, relative to the root, or `nil` if the run has no logs.
    package func log(of step: StepID) -> String? { logs?.path(of: step) }

    /// Appends output that is not part of an event to a log.
    package func append(_ bytes: [UInt8], toLogOf step: StepID) { logs?.append(bytes, isLine: false, of: step) }

    /// Closes a log.
    package func finishLog(of step: StepID) { logs?.finish(step) }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        if let step = event.step { log(event.kind, of: step) }
        if case .stepRetried = event.kind { addResults(of: event.step) }
        results.add(event)
        switch event.kind {
        case .runStarted(let start):
            self.start = start
            makeDirectory(for: start)
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
            addResults(of: event.step)
        case .runEnded(let end):
            write(event)
            finish(end)
        default: write(event)
        }
    }

    private func makeDirectory(for start: RunStart) {
        do throws(FileError) {
            let directory = try store.makeDirectory(lane: start.lane, startedAt: start.startedAt)
            self.directory = directory
            logs = try StepLogs(root: store.root, run: directory, lane: start.lane)
        } catch {
            // A record that cannot be written does not make the run fail.
            failure = error
        }
    }

    private func log(_ kind: LaneEvent.Kind, of step: StepID) {
        if let (text, isLine) = kind.logText { logs?.append(text, isLine: isLine, of: step) }
        guard case .stepEnded(let end) = kind else { return }
        switch end.outcome {
        case .failed, .timedOut, .cancelled: logs?.keep(step)
        case .passed, .skipped, .upToDate: break
        }
        logs?.finish(step)
    }

    /// Adds the results of a step to those of earlier runs. A run that is killed later keeps them.
    private func addResults(of step: StepID?) {
        guard let run = results.run(of: step) else { return }
        do throws(FileError) {
            try ResultStore(root: store.root).add([run])
        } catch {
            resultFailure = resultFailure ?? error
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

    /// Writes the record up to now.
    package func flush() {
        guard let directory, failure == nil else { return waiting.removeAll() }
        do throws(FileError) {
            if file == nil { file = try LogFile(RunStore.events(in: "\(store.root)/\(directory)")) }
            try file?.append(waiting)
            size += waiting.count
        } catch {
            failure = error
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private func finish(_ end: RunEnd) {
        if file == nil { flush() }
        guard let start, let file else { return }
        waiting +=
            RunRecord(
                lane: start.lane, startedAt: start.startedAt, duration: end.duration, status: end.status,
                failedStep: failedStep, path: file.path
            ).line
        flush()
        self.file = nil
        if failure == nil { store.prune(afterAdding: size + (logs?.size ?? 0), of: start.lane) }
    }
}

extension LaneEvent {
    /// Returns an event at the same time with other data.
    fileprivate func with(_ kind: Kind) -> LaneEvent {
        LaneEvent(number: number, offset: offset, step: step, kind: kind)
    }
}
