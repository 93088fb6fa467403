import OperatingSystem
import Text
import Tracer

/// A benchmark of the query whether a touch is near the paths.
struct TouchBench {
    enum Touches: String, CaseIterable {
        case near, far
    }

    private static let touches = 100_000
    private let input: BenchInput
    private let name: String

    /// The T of the founding article.
    static let articleT = TouchBench(input: .articleT(touches: touches), name: "T")

    private init(input: BenchInput, name: String) {
        self.input = input
        self.name = name
    }

    init(points: Int) {
        self.init(input: BenchInput(points: points, touches: Self.touches), name: String(points))
    }

    static let header = row(["points", "near", "far", "article near", "far", "ratio near", "far", "bytes a piece"])

    /// Returns a row of the table: times in nanoseconds, and ratios to the time of the article's rules.
    func row() throws -> String {
        let index = try PathIndex(paths: input.paths, radius: BenchInput.threshold)
        let near = Self.time(input.near) { index.contains($0) }
        let far = Self.time(input.far) { index.contains($0) }
        let segments = input.paths.reduce(0) { $0 + $1.points.count - 1 }
        var cells = [name, decimal(near), decimal(far)]
        if segments <= 10_000 {
            let article = try FoundingArticle.Session(paths: input.paths, threshold: BenchInput.threshold)
            let count = min(Self.touches, max(500, 2_000_000 / segments))
            let slowNear = Self.time(Array(input.near.prefix(count))) { article.isInBounds($0) }
            let slowFar = Self.time(Array(input.far.prefix(count))) { article.isInBounds($0) }
            cells += [decimal(slowNear), decimal(slowFar), ratio(slowNear, near), ratio(slowFar, far)]
        } else {
            cells += ["-", "-", "-", "-"]
        }
        cells.append(String(index.byteCount / max(segments, 1)))
        return Self.row(cells)
    }

    private static func time(_ points: [TracePoint], _ isInside: (TracePoint) -> Bool) -> Double {
        var hits = 0
        return Stopwatch.nanoseconds(per: points.count) {
            for point in points where isInside(point) { hits += 1 }
        }
    }

    /// Queries all touches of a kind repeatedly, for a profiler. Returns the number of touches near the paths.
    func ask(_ kind: Touches, rounds: Int) throws -> Int {
        let index = try PathIndex(paths: input.paths, radius: BenchInput.threshold)
        let points = kind == .near ? input.near : input.far
        var hits = 0
        for _ in 0..<rounds {
            for point in points where index.contains(point) { hits += 1 }
        }
        return hits
    }

    /// Writes the pieces and touches to a file for other programs. The file contains doubles in native byte order: the
    /// numbers of pieces and touches, the coordinates of the pieces, the near touches, the far touches.
    func write(to path: String) throws {
        let pieces = input.paths.flatMap(\.segments)
        var numbers = [Double(pieces.count), Double(Self.touches), BenchInput.threshold]
        for piece in pieces { numbers += [piece.start.x, piece.start.y, piece.end.x, piece.end.y] }
        for touch in input.near + input.far { numbers += [touch.x, touch.y] }
        do {
            try writeFile(numbers.withUnsafeBytes { Array($0) }, to: path)
        } catch {
            throw Failure("\(error)", status: .cannotWrite)
        }
    }

    static func row(_ cells: [String]) -> String {
        cells.map { $0.padded(to: 14) }.joined() + "\n"
    }
}

func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}

func ratio(_ slow: Double, _ fast: Double) -> String {
    fast > 0 ? decimal(slow / fast) + " x" : "-"
}
