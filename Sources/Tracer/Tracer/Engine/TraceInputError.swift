/// An error in the expected paths or the settings of a trace.
public enum TraceInputError: Error, Sendable, Hashable {
    /// A threshold that is not positive, finite and at most 1e12.
    case threshold(Double)
    /// A point whose coordinates are not finite or too large, with the indices of the path and the point.
    case coordinate(TracePoint, path: Int, point: Int)
    /// A view whose width or height is not positive and finite.
    case size(TraceSize)
    /// A required coverage that is not in 0...1.
    case requiredCoverage(Double)
    /// A largest detour that is less than 1.
    case largestDetour(Double)
    /// A distance that would require more than 16,777,215 waypoints on a segment.
    case tooManyWaypoints(maxDistance: Double)
    /// Paths with 2^31 - 1 pieces or more in total.
    case tooManyPoints
}

extension TraceInputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .threshold(let value) where value > TracePoint.largestCoordinate:
            "expected a threshold up to \(TracePoint.largestCoordinate), found \(value)"
        case .threshold(let value): "expected a threshold above zero, found \(value)"
        case .size(let size): "expected a view with a width and a height, found \(size.width) × \(size.height)"
        case .coordinate(let point, let path, let index):
            "expected finite coordinates, found \(point) at point \(index + 1) of path \(path + 1)"
        case .requiredCoverage(let value): "expected a required coverage from 0 to 1, found \(value)"
        case .largestDetour(let value): "expected a largest detour of at least 1, found \(value)"
        case .tooManyWaypoints(let distance): "waypoints \(distance) apart would be too many"
        case .tooManyPoints: "the paths have too many points"
        }
    }
}
