#if canImport(UIKit) && !os(watchOS)
    internal import CoreGraphics
    public import UIKit

    /// The delegate of a ``TraceView``. Every method has a default implementation.
    @MainActor public protocol TraceViewDelegate: AnyObject {
        /// Returns the color of a line, or `nil` to omit the line.
        func traceView(_ view: TraceView, colorOf line: TracedLine, standard: UIColor) -> UIColor?
        /// Returns a layer for a line, or `nil` for the default.
        func traceView(_ view: TraceView, layerFor line: TracedLine) -> CALayer?
        /// Returns a layer for the expected paths, or `nil` for the default guide.
        func traceView(_ view: TraceView, layerForExpected paths: [TracePath]) -> CALayer?
        /// Tells the delegate that a touch was judged.
        func traceView(_ view: TraceView, didUpdate update: TraceUpdate)
        /// Tells the delegate that the trace became complete.
        func traceViewDidComplete(_ view: TraceView)
    }

    extension TraceViewDelegate {
        public func traceView(_ view: TraceView, colorOf line: TracedLine, standard: UIColor) -> UIColor? { standard }
        public func traceView(_ view: TraceView, layerFor line: TracedLine) -> CALayer? { nil }
        public func traceView(_ view: TraceView, layerForExpected paths: [TracePath]) -> CALayer? { nil }
        public func traceView(_ view: TraceView, didUpdate update: TraceUpdate) {}
        public func traceViewDidComplete(_ view: TraceView) {}
    }

    /// A view in which a letter is traced. The cost of adding a line doesn't depend on the number of lines; resizing
    /// keeps the strokes.
    @IBDesignable @MainActor public final class TraceView: UIView {
        public weak var delegate: (any TraceViewDelegate)?
        /// The letter, its size and the trace.
        public private(set) var surface = TraceSurface(glyph: Glyph(name: "", curves: []))

        /// The name of a letter in ``Alphabet``; with any other text the view is empty.
        @IBInspectable public var letter: String = "" {
            didSet { glyph = Alphabet.glyph(letter) ?? Glyph(name: letter, curves: []) }
        }

        /// The distance up to which a touch is on the path, in points.
        @IBInspectable public var threshold: CGFloat = 20 { didSet { applySettings() } }
        /// A Boolean value that indicates whether order and direction of the strokes matter.
        @IBInspectable public var isOrdered: Bool = false { didSet { applySettings() } }
        @IBInspectable public var guideColor: UIColor = .systemGray { didSet { layOut() } }
        /// The width of lines in points at the default text size; scaled with Dynamic Type.
        @IBInspectable public var lineWidth: CGFloat = 4 { didSet { layOut() } }
        /// An image for key points; by default they are dots.
        @IBInspectable public var keyPointImage: UIImage? { didSet { layOut() } }
        /// An image behind the guide, scaled to fit.
        @IBInspectable public var backgroundImage: UIImage? { didSet { layOut() } }

        /// The expected glyph.
        public var glyph: Glyph {
            get { surface.glyph }
            set {
                surface.show(newValue)
                layOut()
            }
        }

        private let guideLayer = CALayer()
        private let linesLayer = CALayer()
        private var runs: [LineRun] = []

        public override init(frame: CGRect) {
            super.init(frame: frame)
            setUp()
        }

        public required init?(coder: NSCoder) {
            super.init(coder: coder)
            setUp()
        }

        private func setUp() {
            isMultipleTouchEnabled = true
            layer.addSublayer(guideLayer)
            layer.addSublayer(linesLayer)
            isAccessibilityElement = true
            // With this trait VoiceOver passes touches to the view.
            accessibilityTraits = .allowsDirectInteraction
        }

        private func applySettings() {
            var settings = surface.settings
            settings.threshold = Double(threshold)
            settings.mode = isOrdered ? .ordered : .free
            surface.apply(settings)
            layOut()
        }

        public override func layoutSubviews() {
            super.layoutSubviews()
            surface.resize(to: TraceSize(bounds.size))
            layOut()
        }

        /// Removes the last stroke.
        public func undo() {
            surface.withSession { $0.undo() }
            layOut()
        }

        /// Removes all strokes.
        public func reset() {
            surface.withSession { $0.reset() }
            layOut()
        }

        /// Recreates all layers, after a change of size, settings or letter, or when the trace becomes complete.
        private func layOut() {
            guideLayer.sublayers = nil
            linesLayer.sublayers = nil
            runs = []
            layer.contents = backgroundImage?.cgImage
            layer.contentsGravity = .resizeAspect
            guard let session = surface.session else { return }
            guideLayer.addSublayer(
                delegate?.traceView(self, layerForExpected: session.target.paths) ?? guide(of: session.target))
            for point in session.target.keyPoints { guideLayer.addSublayer(keyPoint(at: point)) }
            for line in session.lines { add(line, session) }
        }

        private func guide(of target: TraceTarget) -> CALayer {
            let path = CGMutablePath()
            for expected in target.paths {
                guard let first = expected.points.first else { continue }
                path.move(to: CGPoint(first))
                for point in expected.points.count > 1 ? expected.points.dropFirst() : expected.points[...] {
                    path.addLine(to: CGPoint(point))
                }
            }
            return CAShapeLayer(path, color: guideColor.withAlphaComponent(0.25), width: 2 * threshold)
        }

        private func keyPoint(at point: TracePoint) -> CALayer {
            let frame = TraceRect.keyPointFrame(threshold: Double(threshold), around: point)
            let star = CALayer()
            star.frame = CGRect(frame)
            if let image = keyPointImage?.cgImage {
                star.contents = image
            } else {
                star.backgroundColor = UIColor.systemYellow.cgColor
                star.cornerRadius = threshold / 2
            }
            return star
        }

        /// Adds a line to the last run if it continues the same stroke in the same color, else to a new run.
        private func add(_ line: TracedLine, _ session: TraceSession) {
            if let custom = delegate?.traceView(self, layerFor: line) {
                linesLayer.addSublayer(custom)
                return
            }
            let standard = UIColor(session.color(of: line))
            guard let color = delegate.map({ $0.traceView(self, colorOf: line, standard: standard) }) ?? standard else {
                return
            }
            if let run = runs.last, run.takes(line, color) {
                run.append(line)
            } else {
                let width = UIFontMetrics.default.scaledValue(for: lineWidth)
                let run = LineRun(line, color, width: width)
                runs.append(run)
                linesLayer.addSublayer(run.layer)
            }
        }

        public override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                let point = TracePoint(touch.location(in: self))
                handle(surface.withSession { $0.begin(at: point, time: touch.timestamp, touch: touch.hash) })
            }
        }

        public override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                // All touches since the last frame, not only the most recent one.
                for part in event?.coalescedTouches(for: touch) ?? [touch] {
                    let point = TracePoint(part.location(in: self))
                    handle(surface.withSession { $0.move(to: point, time: part.timestamp, touch: touch.hash) })
                }
            }
        }

        public override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches { surface.withSession { $0.end(touch: touch.hash) } }
        }

        public override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches { surface.withSession { $0.cancel(touch: touch.hash) } }
            layOut()
        }

        private func handle(_ update: TraceUpdate?) {
            guard let update, let line = update.line, let session = surface.session else { return }
            if update.completesTrace {
                layOut()
                UIAccessibility.post(notification: .announcement, argument: accessibilityValue)
            } else {
                add(line, session)
            }
            delegate?.traceView(self, didUpdate: update)
            if update.completesTrace { delegate?.traceViewDidComplete(self) }
        }

        public override var accessibilityLabel: String? {
            get { "Letter \(glyph.name)" }
            set { super.accessibilityLabel = newValue }
        }

        public override var accessibilityValue: String? {
            get { "\(Int((surface.session?.completion ?? 0) * 100)) percent drawn" }
            set { super.accessibilityValue = newValue }
        }
    }
#endif
