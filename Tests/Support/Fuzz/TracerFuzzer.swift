import Tracer
import TracerPictures

/// The function that libFuzzer calls with each input; `ci/fuzz` builds it. The first byte selects the reader of the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let purpose = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let text = String(decoding: rest, as: UTF8.self)
    switch purpose {
    case UInt8(ascii: "p"): if let curves = try? SVGPathData.parse(text) { place(Glyph(name: "", curves: curves)) }
    case UInt8(ascii: "k"): if let glyph = try? KanjiVG.glyph(text) { place(glyph) }
    case UInt8(ascii: "h"): for glyph in (try? HersheyFont.glyphs(text)) ?? [] { place(glyph) }
    case UInt8(ascii: "n"):
        if let image = PNGImage(rest), image.width * image.height < 1 << 20 { _ = try? PNG.decode(image) }
    default: draw(rest)
    }
    return 0
}

/// Whatever is read has a place in a view, and can be drawn, unless that is an error.
private func place(_ glyph: Glyph) {
    for size in [TraceSize(320, 400), TraceSize(1e-3, 7)] {
        guard let target = try? glyph.target(in: size, settings: TraceSettings(mode: .ordered)) else { continue }
        guard target.paths.reduce(0, { $0 + $1.points.count }) < 20_000, target.paths.count < 40 else { continue }
        _ = (target.keyPoints, TracePicture().displayList(of: target, size: size).svg)
        var session = TraceSession(target: target)
        session.replay(target.paths.map { Recording.Stroke(samples: $0.points.map { Recording.Sample($0) }) })
        check(session)
    }
}

/// Draws on a letter with three touches; each touch takes five bytes.
private func draw(_ bytes: [UInt8]) {
    guard bytes.count > 2 else { return }
    let glyph = Alphabet.all[Int(bytes[0]) % Alphabet.all.count]
    let settings = TraceSettings(mode: bytes[1] & 1 == 0 ? .free : .ordered)
    var surface = TraceSurface(glyph: glyph, settings: settings, size: TraceSize(320, 400))
    var (index, steps) = (2, 0)
    while index + 4 < bytes.count, steps < 400 {
        let point = TracePoint(
            Double(Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])) / 64 - 300,
            Double(Int(bytes[index + 3]) << 8 | Int(bytes[index + 4])) / 64 - 300)
        let touch = Int(bytes[index]) >> 4 & 3
        surface.withSession { session in
            switch bytes[index] & 15 {
            case 0, 1: session.begin(at: point, touch: touch)
            case 2: session.end(touch: touch)
            case 3: session.cancel(touch: touch)
            case 4: session.undo()
            default: session.move(to: point, touch: touch)
            }
        }
        if bytes[index] & 15 == 5 { surface.resize(to: TraceSize(abs(point.x) + 1, abs(point.y) + 1)) }
        index += 5
        steps += 1
    }
    if let session = surface.session { check(session) }
}

/// A verdict has its reasons, and shares are shares.
private func check(_ session: TraceSession) {
    precondition((0...1).contains(session.completion) && (session.completion == 1) == session.isComplete)
    precondition(session.pathCoverage.allSatisfy { (0...1).contains($0) })
    let score = TraceScore(session)
    precondition(score.isAccepted || !score.reasons.isEmpty, "a trace is refused without a reason")
    precondition(!score.isAccepted || session.isComplete, "an incomplete trace is accepted")
    precondition((0...100).contains(score.points) && (0...1).contains(score.accuracy))
    var again = TraceSession(target: session.target)
    again.replay(session.strokes)
    precondition(again.lines.count == session.lines.count, "a replay has other lines")
}
