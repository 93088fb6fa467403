package enum LaneVersion { package static let current = "0.1.0" }
