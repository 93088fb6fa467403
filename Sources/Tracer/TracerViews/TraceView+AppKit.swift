#if canImport(AppKit) && !canImport(UIKit)
    public import AppKit
    internal import QuartzCore
    public import Tracer

    /// A view in which letters are traced with the mouse or a tablet. It follows dark mode and the scale of the screen. The
    /// eraser and the buttons of a pencil do not draw, and no mouse does while a pencil is near.
    @MainActor public final class TraceView: NSView {
        /// The letters and the trace, with settings, undo, and restoring of recordings.
        public var model = TraceModel(glyphs: []) { didSet { attach() } }
        /// A closure that returns the appearance in light or dark mode.
        public var picture: @MainActor (TracePicture.Scheme) -> TracePicture = { TracePicture($0) } {
            didSet { refresh() }
        }
        /// An image behind the guide, scaled to fit.
        public var backgroundImage: NSImage? { didSet { setImages() } }
        /// An image for key points instead of stars.
        public var keyPointImage: NSImage? { didSet { setImages() } }

        private let root = CALayer()
        private lazy var layers = TraceLayers(in: root)
        private var filter = TouchFilter()
        private var isEraserNear = false

        public override init(frame: NSRect) {
            super.init(frame: frame)
            setUp()
        }

        /// Creates a view of a model.
        public convenience init(model: TraceModel) {
            self.init(frame: CGRect(x: 0, y: 0, width: 0, height: 0))
            self.model = model
            attach()
        }

        public required init?(coder: NSCoder) {
            super.init(coder: coder)
            setUp()
        }

        private func setUp() {
            // The view hosts its layer, so AppKit does not change the direction of the y axis.
            root.isGeometryFlipped = true
            layer = root
            wantsLayer = true
            setAccessibilityElement(true)
            setAccessibilityRole(.image)
            attach()
        }

        private func attach() {
            model.view = self
            resize()
            refresh()
        }

        private func resize() {
            let size = TraceSize(bounds.size)
            if size.width > 0, size.height > 0 { model.resize(to: size) }
        }

        /// Draws everything again, with the appearance of the current mode.
        private func refresh() {
            let isDark = effectiveAppearance.bestMatch(from: [.aqua, .darkAqua]) == .darkAqua
            layers.picture = picture(isDark ? .dark : .light)
            layers.scale = window?.backingScaleFactor ?? 2
            layers.draw(model.quiz)
        }

        private func setImages() {
            layers.background = backgroundImage?.cgImage(forProposedRect: nil, context: nil, hints: nil)
            layers.keyPoint = keyPointImage?.cgImage(forProposedRect: nil, context: nil, hints: nil)
            refresh()
        }

        public override var isFlipped: Bool { true }

        public override func layout() {
            super.layout()
            resize()
        }

        public override func viewDidChangeEffectiveAppearance() {
            super.viewDidChangeEffectiveAppearance()
            refresh()
        }

        public override func viewDidChangeBackingProperties() {
            super.viewDidChangeBackingProperties()
            refresh()
        }

        public override func tabletProximity(with event: NSEvent) {
            filter.isPencilNear = event.isEnteringProximity
            isEraserNear = event.isEnteringProximity && event.pointingDeviceType == .eraser
        }

        private func tool(of event: NSEvent) -> TouchFilter.Tool {
            guard event.subtype == .tabletPoint else { return .mouse }
            return isEraserNear || !event.buttonMask.isDisjoint(with: [.penLowerSide, .penUpperSide]) ? .other : .pencil
        }

        public override func mouseDown(with event: NSEvent) {
            guard filter.draws(0, by: tool(of: event), at: event.timestamp) else { return }
            model.begin(at: point(event), time: event.timestamp)
        }

        public override func mouseDragged(with event: NSEvent) {
            model.move(to: point(event), time: event.timestamp)
        }

        public override func mouseUp(with event: NSEvent) {
            model.end()
        }

        private func point(_ event: NSEvent) -> TracePoint {
            TracePoint(convert(event.locationInWindow, from: nil))
        }

        public override func accessibilityLabel() -> String? {
            model.labels.letter(model.surface.glyph)
        }

        public override func accessibilityValue() -> Any? {
            model.labels.completion(model.completion)
        }
    }

    extension TraceView: TraceModelView {
        func modelDidAddLine(completesTrace: Bool) {
            if completesTrace { layers.draw(model.quiz) } else { layers.drawNewLines(model.quiz) }
        }

        func modelDidChangeMarks() { layers.drawMarks(model.quiz) }

        func modelDidChange() { layers.draw(model.quiz) }
    }
#endif
