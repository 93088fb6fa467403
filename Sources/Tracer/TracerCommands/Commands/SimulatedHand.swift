import Tracer

/// A simulation of a person who traces paths, with an uneven line and speed, and a sample every 16 ms.
struct SimulatedHand {
    enum Kind: String, CaseIterable, Sendable {
        /// A line well within the guide.
        case steady
        /// An uneven line on the guide.
        case shaky
        /// A steady line with random noise in each sample, as on a coarse screen.
        case jittered
        /// A line that leaves the guide once in every stroke, for three thresholds of its length.
        case wandering
        /// A zigzag between the edges of the guide, five times as long as the stroke.
        case zigzag
        /// Waves from edge to edge of the guide, two and a half to three and a half thresholds long, along each stroke that
        /// is longer than five thresholds.
        case snaking
        /// A steady line off the guide.
        case shifted
        /// A jittered line along each stroke from its end to its start.
        case reversed
        /// Jittered strokes, two of which are swapped against every permitted order. If there are no such strokes, the
        /// halves of one stroke are swapped.
        case swapped
        /// Jittered strokes without one of them. A single stroke lacks its second half.
        case omitted
        /// Jittered strokes that continue in a straight line to their start, if that line is outside the letter.
        case closed
        /// A tap on each stroke.
        case tapped
        /// A scribble over the whole letter.
        case scribbled
        /// Dots along each stroke, one to two thresholds apart.
        case dotted
        /// Jittered strokes, one of which has a gap of three thresholds.
        case gapped
        /// Jittered dashes along each stroke, three thresholds long, with gaps of two thresholds that nothing else fills.
        case dashed
        /// Short strokes across the guide.
        case hatched
        /// Five parallel passes along each stroke, from edge to edge of the guide.
        case coloredIn
        /// Jittered strokes, and another one beside the letter.
        case marked
        /// Jittered strokes without the parts that go back over the letter; the pen is lifted instead.
        case lifted
        /// Jittered strokes by any of the permitted orders.
        case permitted
        /// Jittered strokes in each of which the pen is lifted once. It comes down up to a threshold before that point, or
        /// a third of one after it.
        case interrupted
        /// Jittered strokes with a rest of five seconds in each.
        case resting

        /// A Boolean value that indicates whether the hand draws letters correctly.
        var isCorrect: Bool {
            [.steady, .shaky, .jittered, .lifted, .permitted, .interrupted, .resting].contains(self)
        }

        fileprivate var isJittered: Bool {
            switch self {
            case .jittered, .reversed, .swapped, .omitted, .closed, .gapped, .dashed, .marked, .lifted, .permitted,
                .interrupted, .resting:
                true
            default: false
            }
        }
    }

    let kind: Kind
    var random: SeededRandom

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        random = SeededRandom(seed: seed)
    }

    mutating func recording(of target: TraceTarget, letter: String?, size: TraceSize) -> Recording {
        Recording(letter: letter, size: size, threshold: target.threshold, strokes: strokes(along: target))
    }

    mutating func strokes(along target: TraceTarget) -> [Recording.Stroke] {
        var clock = 0.0
        return ways(of: target).map { way in
            defer { clock += 0.3 }
            return stroke(along: way, threshold: target.threshold, clock: &clock)
        }
    }

    private mutating func stroke(along path: TracePath, threshold: Double, clock: inout Double) -> Recording.Stroke {
        switch kind {
        case .zigzag: zigzag(along: path, threshold, &clock)
        case .snaking where path.length > 5 * threshold: snake(along: path, threshold, &clock)
        case .dotted, .hatched:
            Recording.Stroke(samples: path.points.map { sample($0, &clock) })
        case .resting: rested(waves(along: path, threshold: threshold, clock: &clock), threshold, clock: &clock)
        default: waves(along: path, threshold: threshold, clock: &clock)
        }
    }

    /// Returns a sample and advances the clock by 16 ms.
    private func sample(_ point: TracePoint, _ clock: inout Double) -> Recording.Sample {
        defer { clock += 0.016 }
        return Recording.Sample(
            TracePoint((point.x * 100).rounded() / 100, (point.y * 100).rounded() / 100),
            time: (clock * 1000).rounded() / 1000)
    }

    private mutating func zigzag(along path: TracePath, _ threshold: Double, _ clock: inout Double) -> Recording.Stroke
    {
        let length = path.length
        let phase = Double.random(in: 0...1, using: &random)
        let turns = max(1, Int(length / (0.4 * threshold)))
        return Recording.Stroke(
            samples: (0...8 * turns).map { number in
                // There are eight samples from edge to edge.
                let distance = length * Double(number) / Double(8 * turns)
                let turn = Double(number) / 16 + phase
                let across = (4 * abs(turn - turn.rounded()) - 1) * 0.95 * threshold
                let point = path.point(at: distance) ?? .zero
                return sample(point + path.normal(at: distance, reach: threshold / 4) * across, &clock)
            })
    }

    private mutating func snake(along path: TracePath, _ threshold: Double, _ clock: inout Double) -> Recording.Stroke {
        let wave = Wave(
            length: Double.random(in: 2.5...3.5, using: &random) * threshold,
            phase: Double.random(in: 0...1, using: &random), share: 1)
        let reach = Double.random(in: 0.75...0.9, using: &random) * threshold
        let count = Int(path.length / (0.15 * threshold))
        return Recording.Stroke(
            samples: (0...count).map { number in
                let distance = path.length * Double(number) / Double(count)
                let across = path.normal(at: distance, reach: threshold / 4) * (wave.height(at: distance) * reach)
                return sample((path.point(at: distance) ?? .zero) + across, &clock)
            })
    }

    /// Returns a stroke with a rest at its middle, at which each sample is off by up to a fifth of the threshold.
    private mutating func rested(_ stroke: Recording.Stroke, _ threshold: Double, clock: inout Double)
        -> Recording.Stroke
    {
        clock += 5
        var samples = stroke.samples
        let middle = samples[samples.count / 2]
        let reach = threshold / 5
        let rest = (1...300).map { number in
            let offset = TracePoint(
                .random(in: -reach...reach, using: &random), .random(in: -reach...reach, using: &random))
            return Recording.Sample(middle.point + offset, time: middle.time + Double(number) / 60)
        }
        let later = samples[(samples.count / 2 + 1)...].map { Recording.Sample($0.point, time: $0.time + 5) }
        samples = samples[...(samples.count / 2)] + rest + later
        return Recording.Stroke(samples: samples)
    }

    /// Returns the sum of four uniform numbers, which approximates a normal distribution.
    private mutating func noise(deviation: Double) -> Double {
        let reach = deviation * 0.866
        return (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -reach...reach, using: &random) }
    }

    /// Returns a stroke with slow waves across the path, like those of an arm, and a tremor.
    private mutating func waves(along path: TracePath, threshold: Double, clock: inout Double) -> Recording.Stroke {
        let length = path.length
        let amplitude = threshold * (kind == .shaky ? 0.55 : 0.22)
        let waves = (0..<3).map { _ in
            Wave(
                length: Double.random(in: 5...14, using: &random) * threshold,
                phase: Double.random(in: 0...1, using: &random), share: Double.random(in: 0.3...1, using: &random))
        }
        let total = waves.reduce(0) { $0 + $1.share }
        let detour = Double.random(in: 0.25...0.75, using: &random) * length
        let side: Double = Bool.random(using: &random) ? 1 : -1
        let step = threshold * 0.3
        let count = max(1, Int((length / step).rounded()))
        return Recording.Stroke(
            samples: (0...(length > 0 ? count : 0)).map { index in
                // The speed is lower at the ends of a stroke.
                let progress = Double(index) / Double(count)
                let distance = length * progress * progress * (3 - 2 * progress)
                var across = waves.reduce(0) { $0 + $1.height(at: distance) * $1.share } / total * amplitude
                if kind == .wandering {
                    let away = (distance - detour) / (1.5 * threshold)
                    across += side * 2.2 * threshold * max(0, 1 - away * away)
                }
                if kind == .shifted { across += side * 2.4 * threshold }
                let tremor = threshold * 0.03
                let point = path.point(at: distance) ?? .zero
                let normal = path.normal(at: distance, reach: threshold / 4)
                var position = TracePoint(
                    point.x + normal.x * across + Double.random(in: -tremor...tremor, using: &random),
                    point.y + normal.y * across + Double.random(in: -tremor...tremor, using: &random))
                if kind.isJittered {
                    position =
                        position + TracePoint(noise(deviation: 0.15 * threshold), noise(deviation: 0.15 * threshold))
                }
                return sample(position, &clock)
            })
    }

    private struct Wave {
        let length, phase, share: Double

        /// Returns an approximation of a sine by parabolas, without a math library.
        func height(at distance: Double) -> Double {
            var turn = distance / length + phase
            turn -= turn.rounded(.down)
            let half = turn < 0.5 ? turn : turn - 0.5
            let hump = 16 * half * (0.5 - half)
            return turn < 0.5 ? hump : -hump
        }
    }
}

extension TracePath {
    /// Returns the normal of the path at a distance along it, computed from points shortly before and after.
    func normal(at distance: Double, reach: Double) -> TracePoint {
        guard let before = point(at: distance - reach), let behind = point(at: min(distance + reach, length)) else {
            return .zero
        }
        let along = behind - before
        guard along.length > 0 else { return .zero }
        return TracePoint(-along.y, along.x) * (1 / along.length)
    }
}
