import Events

/// An import of runs from an event log. See `EventLineEncoder`.
enum EventImport {
    /// Returns the runs with results, or `nil` if the file contains no event.
    static func runs(in bytes: [UInt8], commit: String?) -> [RecordedRun]? {
        var runs: [RecordedRun] = []
        var hasEvents = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // The last line of a log may be incomplete.
            guard let event = try? EventLineDecoder.decode(Array(line)) else { continue }
            hasEvents = true
            switch event.kind {
            case .runStarted(let start):
                runs.append(RecordedRun(startedAt: start.startedAt, commit: commit, results: []))
            case .test(.ended(let result)):
                if let result = RecordedResult(result), !runs.isEmpty { runs[runs.count - 1].results.append(result) }
            default: break
            }
        }
        return hasEvents ? runs.filter { !$0.results.isEmpty } : nil
    }
}
