package import JSON
package import LaneModel

/// The steps of a transaction that became real, with their results: a later run of the lane can go on behind them.
package struct TransactionRecord: Sendable, Equatable {
    package let lane: String
    /// The run that made it.
    package let run: String
    package let steps: [String: [String: Value]]

    package init(lane: String, run: String, steps: [String: [String: Value]]) {
        self.lane = lane
        self.run = run
        self.steps = steps
    }

    /// Reads the members that `write` has written; `nil` where there are none.
    package init?(_ node: JSONNode) {
        guard let lane = node["lane"]?.string, let run = node["run"]?.string else { return nil }
        let steps = node["steps"]?.members ?? []
        self.init(
            lane: lane, run: run,
            steps: Dictionary(steps.map { ($0.name, StepResults.results(in: $0.value)) }) { $1 })
    }

    /// Writes its members into an object.
    package func write(to writer: inout JSONWriter) {
        writer.member("lane", lane)
        writer.member("run", run)
        writer.object("steps") { writer in
            for (id, results) in steps.sorted(by: { $0.key < $1.key }) {
                writer.name(id)
                StepResults.write(
                    .map(results.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }), &writer)
            }
        }
    }
}
