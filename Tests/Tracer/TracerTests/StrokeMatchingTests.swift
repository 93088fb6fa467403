import TestSupport
import Testing

@testable import Tracer

@Suite struct StrokeMatchingTests {
    /// Returns the least cost of all assignments, with as many pairs as possible, by trying all.
    private func leastCost(_ costs: [[Double]], without used: Set<Int> = []) -> (pairs: Int, cost: Double) {
        guard let row = costs.first else { return (0, 0) }
        var best = leastCost(Array(costs.dropFirst()), without: used)
        for column in row.indices where !used.contains(column) && row[column] < Assignment.none {
            let rest = leastCost(Array(costs.dropFirst()), without: used.union([column]))
            let found = (rest.pairs + 1, rest.cost + row[column])
            if found.0 > best.pairs || (found.0 == best.pairs && found.1 < best.cost) { best = found }
        }
        return best
    }

    @Test func anAssignmentIsTheBestOfAll() {
        let cost = Generator<Double>.element(of: [0, 0.5, 1, 2, 2.25, 7, Assignment.none])
        let generator = zip(cost.array(count: 25...25), Generator<Int>.integer(in: 0...5), .integer(in: 1...5))
        checkProperty("assignment", generator, cases: 300) { values, rows, columns in
            let costs = (0..<rows).map { row in (0..<columns).map { values[row * 5 + $0] } }
            let found = Assignment(costs: costs).columnOfRow
            let pairs = found.enumerated().compactMap { row, column in column.map { (row, $0) } }
            let best = leastCost(costs)
            let cost = pairs.reduce(0) { $0 + costs[$1.0][$1.1] }
            return try expectEqual(found.count, rows) && expectEqual(Set(pairs.map(\.1)).count, pairs.count)
                && expectEqual(pairs.count, best.pairs) && expectEqual(abs(cost - best.cost) < 1e-9, true)
        }
    }

    @Test func manyStrokesAreStillAssignedOneToOne() {
        let costs = (0..<300).map { row in
            (0..<400).map { abs(row - $0) < 3 ? Double(abs(row - $0)) : Assignment.none }
        }
        #expect(Assignment(costs: costs).columnOfRow == Array(0..<300))
    }

    /// Bars that are much nearer than the threshold, so that each covers its neighbors.
    private func bars(_ mode: TraceSettings.Mode) throws -> TraceTarget {
        let paths = (0..<7).map { row in
            TracePath(points: [TracePoint(50, 100 + 6 * Double(row)), TracePoint(250, 100 + 6 * Double(row))])
        }
        return try TraceTarget(paths, mode: mode)
    }

    @Test(arguments: TraceSettings.Mode.allCases, 0..<7) func aStrokeThatIsLeftOutIsMissed(
        mode: TraceSettings.Mode, left: Int
    ) throws {
        let target = try bars(mode)
        var strokes = target.paths.map { $0.walked(step: 10) }
        #expect(TraceScore(TraceSession.drawing(strokes, on: target)).isAccepted)
        strokes.remove(at: left)
        let session = TraceSession.drawing(strokes, on: target)
        let score = TraceScore(session)
        #expect(!score.isAccepted && score.reasons.contains { $0.path == left })
        if mode == .free { #expect(session.isComplete && score.reasons == [.joined(path: left)]) }
    }

    @Test(arguments: Alphabet.all + Alphabet.alternates) func aLetterWithoutAStrokeIsNotAccepted(glyph: Glyph) throws {
        for mode in TraceSettings.Mode.allCases {
            let target = try glyph.target(in: TraceSize(320, 400), settings: TraceSettings(mode: mode))
            for left in target.paths.indices {
                var strokes = target.paths.map { $0.walked(step: 10) }
                strokes.remove(at: left)
                let score = TraceScore(TraceSession.drawing(strokes, on: target))
                #expect(!score.isAccepted && !score.reasons.isEmpty)
            }
        }
    }

    @Test func everyStrokeBelongsToThePathThatItFitsBest() throws {
        let target = try bars(.free)
        let drawn = target.paths.reversed().map { path in path.walked(step: 10).map { TracePoint($0.x, $0.y + 2) } }
        let score = TraceScore(TraceSession.drawing(drawn, on: target))
        #expect(score.paths.map(\.stroke) == [6, 5, 4, 3, 2, 1, 0])
    }

    @Test func aPermittedDirectionCostsNothing() throws {
        let paths = [
            TracePath(points: [TracePoint(50, 50), TracePoint(250, 50)]),
            TracePath(points: [TracePoint(50, 300), TracePoint(250, 300)]),
        ]
        let order = StrokeOrder([StrokeOrder.Step(path: 1, isReversed: true), StrokeOrder.Step(path: 0)])
        let standard = StrokeOrder([StrokeOrder.Step(path: 0), StrokeOrder.Step(path: 1)])
        for mode in TraceSettings.Mode.allCases {
            let target = try TraceTarget(
                paths: paths, settings: TraceSettings(threshold: 20, mode: mode), orders: [standard, order])
            func score(_ strokes: [[TracePoint]]) -> TraceScore {
                TraceScore(TraceSession.drawing(strokes, on: target))
            }
            let permitted = score([paths[1].points.reversed(), paths[0].points])
            #expect(permitted.isAccepted && permitted.reasons.isEmpty && permitted.points == 100)
            let mixed = score([paths[0].points, paths[1].points.reversed()])
            #expect(!mixed.reasons.isEmpty && mixed.isAccepted == (mode == .free))
        }
    }

    /// A stroke whose whole length is within the threshold of its start.
    @Test(arguments: [4.0, 12, 19, 30]) func aShortStrokeHasADirection(length: Double) throws {
        let path = TracePath(points: (0...4).map { TracePoint(100 + length * Double($0) / 4, 100 + Double($0 % 2)) })
        #expect(StrokeGrade(stroke: path.points, path: path, threshold: 20).direction > 0.9)
        #expect(StrokeGrade(stroke: path.points.reversed(), path: path, threshold: 20).direction < -0.9)
        let target = try TraceTarget([path], mode: .ordered)
        #expect(TraceScore(TraceSession.drawing([path.points], on: target)).isAccepted)
        let backwards = TraceScore(TraceSession.drawing([path.points.reversed()], on: target))
        #expect(!backwards.isAccepted && backwards.reasons.contains(.backwards(path: 0)))
    }
}
