import TestSupport
import Tracer

extension Generator where Value == TracePoint {
    /// Points in a view of 300 by 400, often with integer coordinates.
    static var point: Generator {
        zip(Generator<Double>.real(in: 0...300), .real(in: 0...400)).map { TracePoint($0, $1) }
    }

    /// Points with any coordinates, most of which are unusable.
    static var anyPoint: Generator {
        oneOf([point, zip(Generator<Double>.anyDouble, .anyDouble).map { TracePoint($0, $1) }])
    }
}

extension Generator where Value == TracePath {
    static var path: Generator {
        Generator<TracePoint>.point.array(count: 1...6).map { TracePath(points: $0) }
    }
}

extension Generator where Value == [TracePath] {
    static var paths: Generator { Generator<TracePath>.path.array(count: 1...4) }
}

extension Generator where Value == [[TracePoint]] {
    /// Strokes with random points in the view.
    static var strokes: Generator { Generator<TracePoint>.point.array(count: 1...6).array(count: 0...5) }
}

extension TraceTarget {
    init(
        _ paths: [TracePath], threshold: Double = 20, mode: TraceSettings.Mode = .free, detour: Double? = 2.5
    ) throws {
        try self.init(
            paths: paths, settings: TraceSettings(threshold: .units(threshold), mode: mode, largestDetour: detour))
    }
}

extension TraceSession {
    mutating func draw(_ points: [TracePoint]) {
        guard let first = points.first else { return }
        begin(at: first)
        for point in points.dropFirst() { move(to: point) }
        end()
    }

    static func drawing(_ strokes: [[TracePoint]], on target: TraceTarget) -> TraceSession {
        var session = TraceSession(target: target)
        for stroke in strokes { session.draw(stroke) }
        return session
    }
}

extension TracePath {
    /// Returns points along the path, at most `step` apart, including both ends.
    func walked(step: Double) -> [TracePoint] {
        var places: [TracePoint] = []
        var distance = 0.0
        while distance < length {
            if let point = point(at: distance) { places.append(point) }
            distance += step
        }
        return places + points.suffix(1)
    }
}

/// The T of the founding article, in its view of 414 by 896.
let articleT = [
    TracePath(points: [TracePoint(70, 150), TracePoint(350, 150)]),
    TracePath(points: [TracePoint(210, 150), TracePoint(210, 555)]),
]
