#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Tracer
    public import UIKit

    /// A view in which letters are traced with fingers or a pencil. It follows dark mode, the text size and the scale of
    /// the screen. A palm does not draw, and no finger does while a pencil is near.
    @IBDesignable @MainActor public final class TraceView: UIView {
        /// The letters and the trace, with settings, undo, and restoring of recordings.
        public var model = TraceModel(glyphs: []) { didSet { attach() } }
        /// A closure that returns the appearance in light or dark mode.
        public var picture: @MainActor (TracePicture.Scheme) -> TracePicture = { TracePicture($0) } {
            didSet { refresh() }
        }
        /// The name of a letter in ``Alphabet``. With any other text, the view is empty.
        @IBInspectable public var letter: String = "" {
            didSet { model.show([Alphabet.glyph(letter) ?? Glyph(name: letter, curves: [])]) }
        }
        /// An image behind the guide, scaled to fit. Its orientation is applied.
        @IBInspectable public var backgroundImage: UIImage? {
            didSet { setImages() }
        }
        /// An image for key points instead of stars. Its orientation is applied.
        @IBInspectable public var keyPointImage: UIImage? {
            didSet { setImages() }
        }

        private lazy var layers = TraceLayers(in: layer)
        private var filter = TouchFilter()

        public override init(frame: CGRect) {
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
            isMultipleTouchEnabled = true
            isAccessibilityElement = true
            // With this trait VoiceOver passes touches to the view.
            accessibilityTraits = .allowsDirectInteraction
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

        /// Draws everything again, with the appearance for the traits.
        private func refresh() {
            var picture = picture(traitCollection.userInterfaceStyle == .dark ? .dark : .light)
            picture.lineWidth = Double(
                UIFontMetrics.default.scaledValue(for: CGFloat(picture.lineWidth), compatibleWith: traitCollection))
            layers.picture = picture
            layers.scale = max(1, traitCollection.displayScale)
            layers.draw(model.quiz)
        }

        private func setImages() {
            layers.background = backgroundImage?.upright
            layers.keyPoint = keyPointImage?.upright
            refresh()
        }

        public override func layoutSubviews() {
            super.layoutSubviews()
            resize()
        }

        public override func traitCollectionDidChange(_ previous: UITraitCollection?) {
            super.traitCollectionDidChange(previous)
            refresh()
        }

        public override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                let tool = tool(of: touch, event)
                for finger in filter.fingers(replacedBy: tool) { model.cancel(touch: finger) }
                guard filter.draws(touch.hash, by: tool, at: touch.timestamp) else { continue }
                model.begin(at: TracePoint(touch.location(in: self)), time: touch.timestamp, touch: touch.hash)
            }
        }

        public override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                filter.notice(tool(of: touch, event), at: touch.timestamp)
                // All touches since the last frame, not only the most recent one.
                for part in event?.coalescedTouches(for: touch) ?? [touch] {
                    model.move(to: TracePoint(part.location(in: self)), time: part.timestamp, touch: touch.hash)
                }
            }
        }

        public override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                filter.notice(tool(of: touch, event), at: touch.timestamp)
                filter.end(touch.hash)
                model.end(touch: touch.hash)
            }
        }

        public override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
            for touch in touches {
                filter.end(touch.hash)
                model.cancel(touch: touch.hash)
            }
        }

        private func tool(of touch: UITouch, _ event: UIEvent?) -> TouchFilter.Tool {
            switch touch.type {
            case .pencil: .pencil
            case .indirectPointer: event?.buttonMask.contains(.secondary) == true ? .other : .mouse
            default: .finger(radius: Double(touch.majorRadius))
            }
        }

        public override var accessibilityLabel: String? {
            get { super.accessibilityLabel ?? model.labels.letter(model.surface.glyph) }
            set { super.accessibilityLabel = newValue }
        }

        public override var accessibilityValue: String? {
            get { super.accessibilityValue ?? model.labels.completion(model.completion) }
            set { super.accessibilityValue = newValue }
        }
    }

    extension TraceView: TraceModelView {
        func modelDidAddLine(completesTrace: Bool) {
            guard completesTrace else { return layers.drawNewLines(model.quiz) }
            layers.draw(model.quiz)
            UIAccessibility.post(notification: .announcement, argument: model.labels.complete)
        }

        func modelDidChangeMarks() { layers.drawMarks(model.quiz) }

        func modelDidChange() { layers.draw(model.quiz) }
    }

    extension UIImage {
        /// The pixels with the image's orientation applied.
        fileprivate var upright: CGImage? {
            guard imageOrientation != .up else { return cgImage }
            let format = UIGraphicsImageRendererFormat()
            format.scale = scale
            return UIGraphicsImageRenderer(size: size, format: format).image { _ in
                draw(in: CGRect(origin: CGPoint(x: 0, y: 0), size: size))
            }.cgImage
        }
    }
#endif
