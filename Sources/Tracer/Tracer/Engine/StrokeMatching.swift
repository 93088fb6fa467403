/// A one-to-one matching of drawn strokes with expected paths that gives the best fit of all strokes together.
struct StrokeMatching {
    typealias Match = (stroke: Int, grade: StrokeGrade)

    /// The stroke of each path, or `nil` for a path without a stroke. A stroke that follows several paths belongs to
    /// the one that it fits best.
    let matches: [Match?]

    init(_ strokes: [[TracePoint]], _ target: TraceTarget) {
        let frames = strokes.map { TraceRect(around: $0) }
        let grades = target.paths.map { path -> [StrokeGrade?] in
            let frame = TraceRect(around: path.points)?.inset(by: -target.threshold)
            return strokes.indices.map { number in
                guard let frame, let other = frames[number], frame.intersects(other) else { return nil }
                let grade = StrokeGrade(stroke: strokes[number], path: path, threshold: target.threshold)
                return Self.follows(grade) ? grade : nil
            }
        }
        let costs = grades.map { $0.map { $0.map(Self.cost) ?? Assignment.none } }
        matches = zip(grades, Assignment(costs: costs).columnOfRow).map { grades, stroke in
            stroke.flatMap { number in grades[number].map { (number, $0) } }
        }
    }

    /// Returns a Boolean value that indicates whether a stroke follows the path rather than only crossing it.
    private static func follows(_ grade: StrokeGrade) -> Bool {
        grade.insideShare > 0.5 || grade.coverage > 0.6 || (grade.insideShare > 0.25 && grade.coverage > 0.25)
    }

    private static func cost(_ grade: StrokeGrade) -> Double {
        2 - grade.coverage - grade.insideShare + min(grade.deviation, 2)
    }
}
