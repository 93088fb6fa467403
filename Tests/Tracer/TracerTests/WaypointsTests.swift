import TestSupport
import Testing

@testable import Tracer

@Suite struct WaypointsTests {
    @Test func theArticlesExample() throws {
        let points = try FoundingArticle.waypoints(from: .zero, to: TracePoint(20, 20), maxDistance: 10)
        #expect(points == [TracePoint(5, 5), TracePoint(10, 10), TracePoint(15, 15)])
    }

    @Test(arguments: [(9.999, 0), (10, 1), (20, 3), (40, 7), (41, 7), (100, 15)])
    func countIsOneLessThanAPowerOfTwo(distance: Double, count: Int) throws {
        #expect(try FoundingArticle.waypoints(from: .zero, to: TracePoint(distance, 0), maxDistance: 10).count == count)
    }

    @Test func theArticlesTHasFiftyPoints() throws {
        let bar = TracePath(points: [TracePoint(70, 150), TracePoint(350, 150)])
        let stem = TracePath(points: [TracePoint(210, 150), TracePoint(210, 555)])
        #expect(try FoundingArticle.densified(bar, maxDistance: 20).points.count == 17)
        #expect(try FoundingArticle.densified(stem, maxDistance: 20).points.count == 33)
    }

    @Test(arguments: [0, -1, -0.0, Double.nan, .infinity, -.infinity])
    func rejectsAnInvalidDistance(distance: Double) {
        #expect(throws: TraceInputError.self) {
            try FoundingArticle.waypoints(from: .zero, to: TracePoint(1, 1), maxDistance: distance)
        }
    }

    @Test func rejectsTooManyPoints() {
        #expect(throws: TraceInputError.tooManyWaypoints(maxDistance: 1e-9)) {
            try FoundingArticle.waypoints(from: .zero, to: TracePoint(1000, 0), maxDistance: 1e-9)
        }
        #expect(throws: TraceInputError.self) {
            try FoundingArticle.waypoints(
                from: TracePoint(1e12, 0), to: TracePoint(-1e12, 0), maxDistance: .leastNonzeroMagnitude)
        }
    }

    @Test func gapsAreLessThanTheDistanceAndPointsMinimal() {
        let generator = zip(.point, .point, Generator<Double>.real(in: 1...100))
        checkProperty("waypoint gaps", generator) { start, end, distance in
            let points = try [start] + FoundingArticle.waypoints(from: start, to: end, maxDistance: distance) + [end]
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
