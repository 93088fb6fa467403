/// The amount of output.
package enum ReportLevel: Int, Sendable, Comparable {
    /// Only failures and the result.
    case quiet
    case normal
    /// All tests with their output.
    case verbose

    package static func < (one: ReportLevel, other: ReportLevel) -> Bool { one.rawValue < other.rawValue }
}
