package import LaneModel

/// What a step would do if it ran now.
package struct StepForecast: Sendable, Equatable {
    /// In one line.
    package let summary: String
    /// What it would tell later steps, as far as that is known by reading.
    package let outputs: [String: Value]
    /// Why it would be refused as things stand, a line each.
    package let obstacles: [String]

    package init(_ summary: String, outputs: [String: Value] = [:], obstacles: [String] = []) {
        self.summary = summary
        self.outputs = outputs
        self.obstacles = obstacles
    }
}
