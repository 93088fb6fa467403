// Draws a letter in the views, as an app would, and prints what the layers hold.
import SwiftUI
import Tracer
import TracerViews

struct Missing: Error {}

func found<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

struct Screen: View {
    @StateObject var model = TraceModel(glyphs: ["T", "l"].compactMap(Alphabet.glyph))
    var body: some View { TracingCanvas(model: model) }
}

@MainActor final class Finger {
    #if canImport(UIKit)
        let touch = UITouch()
    #endif
    let view: TraceView
    init(_ view: TraceView) { self.view = view }

    enum Phase { case began, moved, ended, canceled }

    func send(_ phase: Phase, _ point: TracePoint) {
        #if canImport(UIKit)
            touch.position = CGPoint(point)
            switch phase {
            case .began: view.touchesBegan([touch], with: nil)
            case .moved: view.touchesMoved([touch], with: nil)
            case .ended: view.touchesEnded([touch], with: nil)
            case .canceled: view.touchesCancelled([touch], with: nil)
            }
        #else
            let event = NSEvent(at: CGPoint(point), timestamp: 0)
            switch phase {
            case .began: view.mouseDown(with: event)
            case .moved: view.mouseDragged(with: event)
            case .ended: view.mouseUp(with: event)
            case .canceled: view.model.cancel()
            }
        #endif
    }

    func draw(_ points: [TracePoint]) {
        send(.began, points[0])
        for point in points { send(.moved, point) }
        send(.ended, points[0])
    }
}

extension TraceView {
    var root: CALayer {
        #if canImport(UIKit)
            layer
        #else
            layer ?? CALayer()
        #endif
    }
    /// The layers of the lines, which are the third of four.
    var lines: [CAShapeLayer] { (root.sublayers?[2].sublayers ?? []).compactMap { $0 as? CAShapeLayer } }
    /// The layers of the guide, which are the second of four.
    var guide: [CAShapeLayer] { (root.sublayers?[1].sublayers ?? []).compactMap { $0 as? CAShapeLayer } }
    var colors: Set<[Double]> { Set(lines.compactMap { $0.strokeColor?.components.map { ($0 * 255).rounded() } }) }

    func makeDark() {
        #if canImport(UIKit)
            traitCollection.userInterfaceStyle = .dark
            traitCollection.textScale = 2
            traitCollectionDidChange(nil)
        #else
            effectiveAppearance.name = .darkAqua
            viewDidChangeEffectiveAppearance()
        #endif
    }

    func update(by canvas: TracingCanvas) {
        #if canImport(UIKit)
            canvas.updateUIView(self, context: RepresentableContext())
        #else
            canvas.updateNSView(self, context: RepresentableContext())
        #endif
    }

    func resize(_ size: CGSize) {
        bounds.size = size
        #if canImport(UIKit)
            layoutSubviews()
        #else
            layout()
        #endif
    }
}

@main @MainActor struct Program {
    static func main() throws {
        let screen = Screen()
        _ = screen.body
        let model = screen.model
        let view = TraceView(model: model)
        view.resize(CGSize(width: 320, height: 400))
        try print("palm, eraser, button:", strokesOfOthers(view), "strokes")
        var feedback: [String] = []
        model.onFeedback = { feedback.append("\($0)") }
        let finger = Finger(view)
        let paths = try found(model.session).target.paths
        finger.draw(paths[0].points)
        try print("one stroke:", view.lines.count, "layer,", found(model.session).strokes.count, "stroke")
        finger.send(.began, paths[1].points[0])
        finger.send(.canceled, paths[1].points[0])
        try print("canceled:", found(model.session).strokes.count, "stroke")
        finger.draw(paths[1].points)
        try print("complete:", found(model.session).isComplete, view.colors)
        let recording = try found(model.recording)
        model.undo()
        try print("undone:", found(model.session).isComplete, view.lines.count)
        finger.draw([TracePoint(x: 5, y: 5), TracePoint(x: 300, y: 390)])
        print("feedback:", feedback)
        model.restore(recording)
        view.resize(CGSize(width: 640, height: 800))
        try print("restored and resized:", found(model.session).isComplete)
        view.makeDark()
        print("dark:", view.colors, "width", view.lines[0].lineWidth, "scale", view.lines[0].contentsScale)
        let guide = view.guide
        view.update(by: TracingCanvas(model: model))
        let isKept = guide.elementsEqual(view.guide, by: ===)
        view.update(
            by: TracingCanvas(model: model) { scheme in
                var picture = TracePicture(scheme)
                picture.cues = []
                return picture
            })
        print("same picture kept:", isKept, "new picture shown:", view.guide.count < guide.count)
        model.settings.mode = .ordered
        model.showLetter(at: 1)
        print("labels:", model.labels.letter(model.surface.glyph), model.labels.completion(model.completion))
        try measure(model, view)
    }

    /// Touches the view with all that doesn't draw, ten seconds ago, and returns the number of strokes.
    static func strokesOfOthers(_ view: TraceView) throws -> Int {
        #if canImport(UIKit)
            let (palm, finger, pencil) = (Finger(view), Finger(view), Finger(view))
            (palm.touch.majorRadius, pencil.touch.type) = (60, .pencil)
            for hand in [palm, finger, pencil] { hand.touch.timestamp = -10 }
            palm.draw([TracePoint(x: 10, y: 10), TracePoint(x: 20, y: 20)])
            // The pencil replaces the finger, and no finger draws beside it.
            finger.send(.began, TracePoint(x: 10, y: 10))
            pencil.send(.began, TracePoint(x: 20, y: 20))
            pencil.send(.canceled, TracePoint(x: 20, y: 20))
            finger.draw([TracePoint(x: 10, y: 10), TracePoint(x: 20, y: 20)])
        #else
            let event = NSEvent(at: CGPoint(x: 10, y: 10), timestamp: 0)
            event.subtype = .tabletPoint
            event.buttonMask = [.penTip, .penLowerSide]
            view.mouseDown(with: event)
            (event.isEnteringProximity, event.pointingDeviceType, event.buttonMask) = (true, .eraser, .penTip)
            view.tabletProximity(with: event)
            view.mouseDown(with: event)
            // No mouse draws beside a pencil.
            event.subtype = .mouseEvent
            view.mouseDown(with: event)
            event.isEnteringProximity = false
            view.tabletProximity(with: event)
        #endif
        return try found(view.model.session).strokes.count
    }

    /// Draws 50,000 lines; the layers of a stroke hold 64 lines each.
    static func measure(_ model: TraceModel, _ view: TraceView) throws {
        model.settings.mode = .free
        let finger = Finger(view)
        let path = try found(model.session).target.paths[0]
        let clock = ContinuousClock()
        let start = clock.now
        let first = path.points[0]
        finger.send(.began, first)
        for step in 0..<50_000 {
            finger.send(.moved, TracePoint(x: first.x + Double(step % 7), y: first.y + Double(step % 11)))
        }
        finger.send(.ended, first)
        let time = (clock.now - start) / .seconds(1)
        let longest = view.lines.compactMap { $0.path?.count }.max() ?? 0
        print("50,000 touches:", view.lines.count, "layers of up to", longest, "points")
        print("seconds:", time)
    }
}
