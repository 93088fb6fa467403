import Text
import Tracer

/// The output of `tracer-demo trace`.
struct TraceReport {
    let letter: String
    let session: TraceSession

    private func number(of color: TracedLine.Color) -> Int {
        session.lines.count { session.color(of: $0) == color }
    }

    private var verdict: String {
        if !session.scribbledPaths.isEmpty { return "scribbled over" }
        if !session.isComplete { return "incomplete" }
        return session.lines.allSatisfy { $0.verdict == .onPath } ? "complete" : "complete, with lines off the path"
    }

    func text(style: TextStyle) -> String {
        let mark = session.isComplete ? style.symbol("✓", orElse: "ok") : style.symbol("✗", orElse: "--")
        let headline = style.apply(session.isComplete ? .green : .red, to: "\(mark) \(letter): \(verdict)")
        let off = number(of: .red)
        let astray = number(of: .amber)
        let total = session.lines.count
        var text = "\(headline)\n"
        text += "  drawn    \(percent(session.completion))"
        let missing = session.pathCoverage.enumerated().filter { !session.isDrawn($0.offset) }
        let parts =
            missing.map { "stroke \($0.offset + 1) at \(percent($0.element))" }
            + session.scribbledPaths.map { "too much line for stroke \($0 + 1)" }
        text += parts.isEmpty ? "\n" : " (\(parts.joined(separator: ", ")))\n"
        text += "  on path  \(total - off - astray) of \(count(total, "line"))"
        text += astray > 0 ? ", \(astray) out of order\n" : "\n"
        text += "  pen down \(count(session.strokes.count, "time"))\n"
        return text
    }

    var json: String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("letter", letter)
            writer.member("verdict", verdict)
            writer.member("complete", session.isComplete)
            writer.member("completion", rounded(session.completion))
            writer.member("threshold", session.target.threshold)
            writer.member("mode", session.target.settings.mode.rawValue)
            writer.object("lines") { writer in
                for color in TracedLine.Color.allCases { writer.member(color.rawValue, number(of: color)) }
            }
            writer.array("paths") { writer in
                for share in session.pathCoverage { writer.value(rounded(share)) }
            }
        }
        return writer.text + "\n"
    }
}

/// Returns a share as a percentage such as `97 %`. It is rounded down, so only a complete trace has 100 %.
func percent(_ share: Double) -> String {
    "\(Int((share * 100 + 1e-7).rounded(.down))) %"
}

func rounded(_ value: Double) -> Double {
    (value * 10_000).rounded() / 10_000
}
