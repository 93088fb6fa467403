#if canImport(QuartzCore)
    internal import CoreGraphics
    internal import QuartzCore
    internal import Tracer

    /// The layers of a view: the background and guide, the lines, and the hint and next point on top. A new line
    /// changes one layer.
    @MainActor final class TraceLayers {
        /// The appearance, with a line width that is scaled for the text size.
        var picture = TracePicture()
        /// An image behind everything, scaled to fit.
        var background: CGImage?
        /// An image for key points instead of stars.
        var keyPoint: CGImage?
        /// The number of pixels per point.
        var scale: CGFloat = 1

        private let backgroundLayer = CALayer()
        private let guideLayer = CALayer()
        private let linesLayer = CALayer()
        private let marksLayer = CALayer()
        private var runs: [LineRun] = []
        private var drawnLines = 0

        init(in root: CALayer) {
            backgroundLayer.contentsGravity = .resizeAspect
            for layer in [backgroundLayer, guideLayer, linesLayer, marksLayer] { root.addSublayer(layer) }
        }

        /// Draws everything again.
        func draw(_ quiz: TraceQuiz) {
            withoutAnimation {
                let surface = quiz.surface
                backgroundLayer.contents = background
                backgroundLayer.frame = CGRect(TraceRect(origin: .zero, size: surface.size))
                backgroundLayer.backgroundColor = picture.backgroundColor?.cgColor
                guideLayer.sublayers = nil
                linesLayer.sublayers = nil
                (runs, drawnLines) = ([], 0)
                if let session = surface.session {
                    for item in guide(session.target, surface.size) { add(item, to: guideLayer) }
                    addLines(of: session)
                }
                drawMarks(quiz)
            }
        }

        /// Draws the lines that were added since the last call.
        func drawNewLines(_ quiz: TraceQuiz) {
            withoutAnimation {
                if let session = quiz.surface.session { addLines(of: session) }
                if quiz.surface.settings.mode == .ordered { drawMarks(quiz) }
            }
        }

        /// Draws the hint and the next point.
        func drawMarks(_ quiz: TraceQuiz) {
            withoutAnimation {
                marksLayer.sublayers = nil
                guard let session = quiz.surface.session else { return }
                let hint = quiz.hint.map { picture.hintItems(of: session.target, path: $0) } ?? []
                for item in hint + picture.nextItems(of: session) { add(item, to: marksLayer) }
            }
        }

        private func guide(_ target: TraceTarget, _ size: TraceSize) -> [DisplayList.Item] {
            var picture = picture
            picture.backgroundColor = nil
            if background != nil { picture.guideColor.alpha = UInt8(Int(picture.guideColor.alpha) * 3 / 5) }
            if let keyPoint {
                picture.keyPointColor = nil
                for point in target.keyPoints {
                    let layer = CALayer()
                    layer.frame = CGRect(.keyPointFrame(threshold: target.threshold, around: point))
                    layer.contents = keyPoint
                    guideLayer.addSublayer(layer)
                }
            }
            return picture.displayList(of: target, size: size).items
        }

        private func addLines(of session: TraceSession) {
            while drawnLines < session.lines.count {
                add(session.lines[drawnLines], session)
                drawnLines += 1
            }
        }

        /// Adds a line to the last run if the line continues the same stroke in the same color, and to a new run
        /// otherwise.
        private func add(_ line: TracedLine, _ session: TraceSession) {
            guard let color = picture.color(of: line, as: session.color(of: line)) else { return }
            if let items = picture.delegate?.picture(picture, itemsFor: line, color: color) {
                for item in items { add(item, to: linesLayer) }
            } else if let run = runs.last, run.takes(line, color) {
                run.append(line)
            } else {
                let run = LineRun(line, color, width: picture.lineWidth, scale: scale)
                runs.append(run)
                linesLayer.addSublayer(run.layer)
            }
        }

        private func add(_ item: DisplayList.Item, to parent: CALayer) {
            for shape in item.shapes {
                switch shape {
                case .stroke(let points, let width, let color):
                    parent.addSublayer(CAShapeLayer(.lines([points]), color, width: width, scale: scale))
                case .strokes(let lines, let width, let color):
                    parent.addSublayer(CAShapeLayer(.lines(lines), color, width: width, scale: scale))
                case .fill(let polygon, let color):
                    let layer = CAShapeLayer(.lines([polygon]), color, width: 0, scale: scale)
                    layer.strokeColor = nil
                    layer.fillColor = color.cgColor
                    parent.addSublayer(layer)
                case .image(let image, let frame):
                    let layer = CALayer()
                    layer.frame = CGRect(frame)
                    layer.contents = CGImage.reading(image)
                    parent.addSublayer(layer)
                case .number: break
                }
            }
        }

        /// Layers fade by default when they are added or changed.
        private func withoutAnimation(_ body: () -> Void) {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            body()
            CATransaction.commit()
        }
    }
#endif
