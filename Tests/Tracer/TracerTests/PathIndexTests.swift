import TestSupport
import Testing
import Tracer

@Suite struct PathIndexTests {
    /// Returns the pieces near a point by comparison with every piece.
    private func bruteForce(_ paths: [TracePath], near point: TracePoint, radius: Double) -> [Int] {
        paths.flatMap(\.segments).enumerated().filter { $0.element.distance(to: point) <= radius }.map(\.offset)
    }

    /// Returns a Boolean value that indicates whether a distance is so close to the radius that rounding may decide.
    private func isBorderline(_ paths: [TracePath], _ point: TracePoint, _ radius: Double) -> Bool {
        paths.flatMap(\.segments).contains { abs($0.distance(to: point) - radius) < 1e-9 * max(1, radius) }
    }

    @Test func aMoveAcrossManyPathsIsMeasured() throws {
        let count = 3000
        let bars = (0..<count).map { bar in
            let x = Double(bar * 7919 % count) * 100
            return TracePath(points: [TracePoint(x, -50), TracePoint(x, 50)])
        }
        let length = Double(count) * 100
        let share = try PathIndex(paths: bars, radius: 20).share(inside: Segment(.zero, TracePoint(length, 0)))
        // Of the first bar only the right half is on the move.
        #expect(abs(share * length - Double(count * 40 - 20)) < 1e-3)
    }

    @Test func hitSetsAreThoseOfBruteForce() {
        let radius = Generator<Double>.real(in: 0.5...80)
        let generator = zip(.paths, Generator<TracePoint>.point.array(count: 1...20), radius)
        checkProperty("index = brute force", generator, cases: 200) { paths, points, radius in
            let index = try PathIndex(paths: paths, radius: radius)
            for point in points where !isBorderline(paths, point, radius) {
                let expected = bruteForce(paths, near: point, radius: radius)
                guard try expectEqual(index.pieces(near: point), expected, "pieces near \(point)"),
                    try expectEqual(index.contains(point), !expected.isEmpty, "contains \(point)")
                else { return false }
            }
            return true
        }
    }

    /// The coordinates are so large that their precision is only a thousandth of the radius.
    @Test func hitSetsAreThoseOfBruteForceFarFromTheOrigin() {
        let offset = Generator<TracePoint>.element(of: [
            TracePoint(9e11, -9e11), TracePoint(-3e10, 5), TracePoint(7, 4e11),
        ])
        let generator = zip(
            .paths, Generator<TracePoint>.point.array(count: 1...10), Generator<Double>.real(in: 0.1...40), offset)
        checkProperty("index = brute force far away", generator, cases: 200) { paths, points, radius, offset in
            let paths = paths.map { $0.transformed(by: .translation(offset)) }
            let index = try PathIndex(paths: paths, radius: radius)
            for point in points.map({ $0 + offset }) {
                let distances = paths.flatMap(\.segments).map { $0.distance(to: point) }
                if distances.contains(where: { abs($0 - radius) < 1e-3 }) { continue }
                let expected = distances.indices.filter { distances[$0] <= radius }
                guard try expectEqual(index.pieces(near: point), expected, "pieces near \(point)"),
                    try expectEqual(index.contains(point), !expected.isEmpty, "contains \(point)")
                else { return false }
            }
            return true
        }
    }

    /// With small cells, the lists for long crossing pieces would need too much memory.
    @Test func longPathsTakeLittleMemory() throws {
        var random = SplitMix64(seed: 1)
        let points = (0..<5000).map { _ in
            TracePoint(.random(in: 0...10_000, using: &random), .random(in: 0...10_000, using: &random))
        }
        let index = try PathIndex(paths: [TracePath(points: points)], radius: 5)
        #expect(index.byteCount < 150 * 5000 + 20_000)
        #expect(points.allSatisfy(index.contains))
    }

    @Test(arguments: [50, 1000, 20_000]) func aPieceTakesLittleMemory(count: Int) throws {
        // A spiral as dense as letters, with six thresholds between its turns.
        var point = TracePoint(0, 0)
        let points = (0..<count).map { number -> TracePoint in
            let angle = (Double(number) * 0.5).squareRoot()
            point = point + TraceTransform.rotation(radians: angle).apply(to: TracePoint(15, 0))
            return point
        }
        let index = try PathIndex(paths: [TracePath(points: points)], radius: 20)
        #expect(index.byteCount / count <= 150, "\(index.byteCount / count) bytes")
    }

    @Test func theShareInsideIsThatOfManySamples() {
        let generator = zip(.paths, .point, .point, Generator<Double>.real(in: 1...60))
        checkProperty("share inside = sampled share", generator) { paths, start, end, radius in
            let index = try PathIndex(paths: paths, radius: radius)
            let samples = 400
            let hits = (0..<samples).count { step in
                !bruteForce(
                    paths, near: start.interpolated(to: end, (Double(step) + 0.5) / Double(samples)), radius: radius
                )
                .isEmpty
            }
            let share = index.share(inside: Segment(start, end))
            guard abs(share - Double(hits) / Double(samples)) < 0.02 else {
                throw Mismatch(description: "share \(share), sampled \(hits) of \(samples)")
            }
            return true
        }
    }

    @Test func exactlyTheRadiusIsInside() throws {
        let index = try PathIndex(paths: [TracePath(points: [.zero, TracePoint(100, 0)])], radius: 20)
        #expect(index.contains(TracePoint(50, 20)))
        #expect(!index.contains(TracePoint(50, 20.0.nextUp)))
        #expect(index.contains(TracePoint(120, 0)))
        #expect(!index.contains(TracePoint(120.0.nextUp, 0)))
    }

    @Test func unusablePointsAreOutside() throws {
        let index = try PathIndex(paths: articleT, radius: 20)
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
            #expect(!index.contains(TracePoint(value, 150)))
            #expect(index.pieces(near: TracePoint(150, value)).isEmpty)
            #expect(index.share(inside: Segment(TracePoint(150, 150), TracePoint(value, 150))) == 0)
        }
    }

    @Test func anyInputGivesAnIndexOrAnError() {
        let generator = zip(
            Generator<TracePoint>.anyPoint.array().map { [TracePath(points: $0)] }, .anyDouble, .anyPoint)
        checkProperty("no input traps", generator, cases: 1000) { paths, radius, point in
            do {
                let index = try PathIndex(paths: paths, radius: radius)
                _ = (index.contains(point), index.pieces(near: point), index.share(inside: Segment(point, .zero)))
            } catch is TraceInputError {}
            return true
        }
    }

    @Test func hugeExtentsTakeLittleMemory() throws {
        let far = TracePath(points: [TracePoint(-1e12, -1e12), TracePoint(1e12, 1e12), TracePoint(1e12, -1e12)])
        let index = try PathIndex(paths: [far], radius: 1e-3)
        #expect(index.byteCount < 1_000_000)
        #expect(index.contains(TracePoint(5, 5)))
        #expect(!index.contains(TracePoint(5, 6)))
    }

    @Test func noPathsContainNothing() throws {
        #expect(try !PathIndex(paths: [], radius: 20).contains(.zero))
        #expect(try !PathIndex(paths: [TracePath(points: [])], radius: 20).contains(.zero))
    }
}
