import TestSupport
import Testing
import Tracer

@Suite struct WaypointsTests {
    @Test func theArticlesExample() throws {
        let points = try Waypoints.calculate(maxDistance: 10, start: .zero, end: TracePoint(20, 20))
        #expect(points == [TracePoint(5, 5), TracePoint(10, 10), TracePoint(15, 15)])
    }

    @Test(arguments: [(9.999, 0), (10, 1), (20, 3), (40, 7), (41, 7), (100, 15)])
    func countIsOneLessThanAPowerOfTwo(distance: Double, count: Int) throws {
        #expect(try Waypoints.calculate(maxDistance: 10, start: .zero, end: TracePoint(distance, 0)).count == count)
    }

    @Test func theArticlesTHasFiftyPoints() throws {
        let bar = TracePath(points: [TracePoint(70, 150), TracePoint(350, 150)])
        let stem = TracePath(points: [TracePoint(210, 150), TracePoint(210, 555)])
        #expect(try Waypoints.densified(bar, maxDistance: 20).points.count == 17)
        #expect(try Waypoints.densified(stem, maxDistance: 20).points.count == 33)
    }

    @Test(arguments: [0, -1, -0.0, Double.nan, .infinity, -.infinity])
    func rejectsAnInvalidDistance(distance: Double) {
        #expect(throws: TraceInputError.self) {
            try Waypoints.calculate(maxDistance: distance, start: .zero, end: TracePoint(1, 1))
        }
    }

    @Test func rejectsTooManyPoints() {
        #expect(throws: TraceInputError.tooManyWaypoints(maxDistance: 1e-9)) {
            try Waypoints.calculate(maxDistance: 1e-9, start: .zero, end: TracePoint(1000, 0))
        }
        #expect(throws: TraceInputError.self) {
            try Waypoints.calculate(
                maxDistance: .leastNonzeroMagnitude, start: TracePoint(1e12, 0), end: TracePoint(-1e12, 0))
        }
    }

    @Test func gapsAreLessThanTheDistanceAndPointsMinimal() {
        let generator = zip(.point, .point, Generator<Double>.real(in: 1...100))
        checkProperty("waypoint gaps", generator) { start, end, distance in
            let points = try [start] + Waypoints.calculate(maxDistance: distance, start: start, end: end) + [end]
            let gaps = zip(points, points.dropFirst()).map { $0.distance(to: $1) }
            let isDense = gaps.allSatisfy { $0 < distance * (1 + 1e-12) }
            // Half as many points would double the gaps.
            let isMinimal = points.count == 2 || gaps.allSatisfy { 2 * $0 >= distance * (1 - 1e-12) }
            return isDense && isMinimal
        }
    }

    @Test func keyPointFrame() {
        #expect(
            TraceRect.keyPointFrame(threshold: 10, around: TracePoint(100, 300))
                == TraceRect(x: 95, y: 295, width: 10, height: 10))
    }
}
