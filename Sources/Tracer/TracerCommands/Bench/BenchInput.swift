import Tracer

/// The paths and touches of a benchmark, the same on every system.
struct BenchInput {
    let paths: [TracePath]
    /// Touches along the paths, most of which are within the threshold.
    let near: [TracePoint]
    /// Touches at random points.
    let far: [TracePoint]

    static let threshold = 20.0

    private init(paths: [TracePath], near: [TracePoint], far: [TracePoint]) {
        self.paths = paths
        self.near = near
        self.far = far
    }

    /// Returns the founding article's T in its view, with its 50 waypoints.
    static func articleT(touches: Int) -> BenchInput {
        let bar = TracePath(points: [TracePoint(70, 150), TracePoint(350, 150)])
        let stem = TracePath(points: [TracePoint(210, 150), TracePoint(210, 555)])
        var random = SeededRandom(seed: 50)
        func jittered(_ point: TracePoint, _ reach: Double) -> TracePoint {
            point + TracePoint(.random(in: -reach...reach, using: &random), .random(in: -reach...reach, using: &random))
        }
        let near = (0..<touches).map { number in
            let path = number / 100 % 2 == 0 ? bar : stem
            return jittered(path.point(at: path.length * Double(number % 100) / 100) ?? .zero, 17)
        }
        return BenchInput(
            paths: [bar, stem], near: near,
            far: (0..<touches).map { _ in
                TracePoint(.random(in: 0...414, using: &random), .random(in: 0...896, using: &random))
            })
    }

    /// Creates smooth random walks of 50 points, 15 units apart, in a square with the same path length per area as the
    /// article's T.
    init(points: Int, touches: Int) {
        var random = SeededRandom(seed: UInt64(points))
        let side = (Double(points) * 7400).squareRoot()
        var paths: [TracePath] = []
        while paths.count * 50 < points {
            var point = TracePoint(.random(in: 0...side, using: &random), .random(in: 0...side, using: &random))
            var heading = TracePoint(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
            var walk: [TracePoint] = []
            for _ in 0..<min(50, points - paths.count * 50) {
                walk.append(point)
                heading =
                    heading
                    + TracePoint(.random(in: -0.3...0.3, using: &random), .random(in: -0.3...0.3, using: &random))
                heading = heading * (1 / max(heading.length, 1e-9))
                point = point + heading * 15
                if !(0...side).contains(point.x) { heading.x = -heading.x }
                if !(0...side).contains(point.y) { heading.y = -heading.y }
            }
            paths.append(TracePath(points: walk))
        }
        self.paths = paths
        near = (0..<touches).map { number in
            let path = paths[number / 100 % paths.count]
            let point = path.points[number % path.points.count]
            // The sum of four uniform numbers approximates a normal distribution with a standard deviation of 10.
            func noise() -> Double { (0..<4).reduce(0) { sum, _ in sum + .random(in: -8.66...8.66, using: &random) } }
            return point + TracePoint(noise(), noise())
        }
        far = (0..<touches).map { _ in
            TracePoint(.random(in: 0...side, using: &random), .random(in: 0...side, using: &random))
        }
    }
}
