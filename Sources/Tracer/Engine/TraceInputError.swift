/// Why expected paths or settings can't be traced.
public enum TraceInputError: Error, Sendable, Hashable {
    /// A threshold must be positive, finite and at most ``Point/largestCoordinate``.
    case threshold(Double)
    /// A coordinate is not finite or too large; counted from zero.
    case coordinate(Point, path: Int, point: Int)
    /// The share of a path that must be drawn must lie in 0...1.
    case requiredCoverage(Double)
    /// The line that draws a path can't be shorter than the path.
    case largestDetour(Double)
    /// A piece would need more than ``Waypoints/mostPerPiece`` waypoints.
    case tooManyWaypoints(maxDistance: Double)
    /// More than 2^31 pieces in all.
    case tooManyPoints
}

extension TraceInputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .threshold(let value) where value > Point.largestCoordinate:
            "expected a threshold up to \(Point.largestCoordinate), found \(value)"
        case .threshold(let value): "expected a threshold above zero, found \(value)"
        case .coordinate(let point, let path, let index):
            "expected finite coordinates, found \(point) at point \(index + 1) of path \(path + 1)"
        case .requiredCoverage(let value): "expected a required coverage from 0 to 1, found \(value)"
        case .largestDetour(let value): "expected a largest detour of at least 1, found \(value)"
        case .tooManyWaypoints(let distance): "waypoints \(distance) apart would be too many"
        case .tooManyPoints: "the paths have too many points"
        }
    }
}
