import TestSupport
import Testing
import Tracer

/// A straightforward model of the article's rules.
private struct NaiveArticle {
    let threshold: Double
    var waypoints: [TracePoint]
    var pending: [TracePoint]

    init(_ paths: [TracePath], _ threshold: Double) {
        self.threshold = threshold
        func between(_ a: TracePoint, _ b: TracePoint) -> [TracePoint] {
            if a.distance(to: b) < threshold { return [] }
            let middle = TracePoint((a.x + b.x) / 2, (a.y + b.y) / 2)
            return between(a, middle) + [middle] + between(middle, b)
        }
        waypoints = []
        for path in paths {
            for (index, point) in path.points.enumerated() {
                if index > 0 { waypoints += between(path.points[index - 1], point) }
                waypoints.append(point)
            }
        }
        pending = waypoints
    }

    mutating func isRed(_ start: TracePoint, _ end: TracePoint) -> Bool {
        let near = [start, end].map { place in waypoints.contains { $0.distance(to: place) < threshold } }
        pending = pending.filter { $0.distance(to: start) > threshold && $0.distance(to: end) > threshold }
        return near != [true, true]
    }
}

@Suite struct ArticleSessionTests {
    @Test func equalsTheModelStepByStep() {
        let whole = Generator<Int>.integer(in: 0...30)
        let place = zip(whole, whole).map { TracePoint(Double($0) * 10, Double($1) * 10) }
        let paths = place.array(count: 1...5).map { TracePath(points: $0) }.array(count: 0...3)
        checkProperty("article = naive model", zip(paths, place.array(), .element(of: [10, 20, 40])), cases: 300) {
            paths, touches, threshold in
            var naive = NaiveArticle(paths, threshold)
            var session = try FoundingArticle.Session(paths: paths, threshold: threshold)
            guard try expectEqual(session.pending.count, naive.waypoints.count, "waypoints") else { return false }
            for (start, end) in zip(touches, touches.dropFirst()) {
                session.add(from: start, to: end)
                let isRed = naive.isRed(start, end)
                guard try expectEqual(session.lines.last?.isOutOfBounds, isRed, "red at \(end)"),
                    try expectEqual(session.pending, naive.pending, "pending")
                else { return false }
            }
            return true
        }
    }

    @Test func exactlyTheThresholdVisitsAndIsRed() throws {
        var session = try FoundingArticle.Session(paths: [TracePath(points: [TracePoint(100, 100)])], threshold: 20)
        session.add(from: TracePoint(120, 100), to: TracePoint(120, 100))
        #expect(session.isComplete)
        #expect(session.color(of: session.lines[0]) == .red)
    }

    @Test func theArticleCorridorIsNarrowerBetweenWaypoints() throws {
        var article = try FoundingArticle.Session(paths: articleT, threshold: 20)
        let bar = articleT[0].points.map { TracePoint($0.x, $0.y + 19) }
        let between = TracePoint(78.75, 169)
        article.add(from: between, to: between)
        #expect(article.color(of: article.lines[0]) == .red)
        let exact = TraceSession.drawing([bar], on: try TraceTarget(articleT))
        #expect(exact.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test func anEmptyListIsCompleteAndItsLinesRed() throws {
        var session = try FoundingArticle.Session(paths: [])
        #expect(session.isComplete)
        session.add(from: .zero, to: TracePoint(1, 1))
        #expect(session.color(of: session.lines[0]) == .red)
    }
}
