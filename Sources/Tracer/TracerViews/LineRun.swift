#if canImport(QuartzCore)
    internal import CoreGraphics
    internal import QuartzCore
    internal import Tracer

    /// Adjacent lines of the same stroke and color in a layer. Their number is limited, because each added line redraws
    /// the layer.
    @MainActor final class LineRun {
        private static let longest = 64

        let layer: CAShapeLayer
        private let path = CGMutablePath()
        private let stroke: Int
        private let color: TraceColor
        private var end: TracePoint
        private var count = 1

        init(_ line: TracedLine, _ color: TraceColor, width: Double, scale: CGFloat) {
            stroke = line.stroke
            self.color = color
            end = line.segment.end
            path.move(to: CGPoint(line.segment.start))
            path.addLine(to: CGPoint(line.segment.end))
            layer = CAShapeLayer(path, color, width: width, scale: scale)
        }

        func takes(_ line: TracedLine, _ color: TraceColor) -> Bool {
            count < Self.longest && line.stroke == stroke && line.segment.start == end && color == self.color
        }

        func append(_ line: TracedLine) {
            path.addLine(to: CGPoint(line.segment.end))
            end = line.segment.end
            count += 1
            layer.path = path.copy()
        }
    }

    extension CAShapeLayer {
        /// Creates a layer with round caps and joins.
        ///
        /// - Parameter scale: The number of pixels per point.
        convenience init(_ path: CGPath, _ color: TraceColor, width: Double, scale: CGFloat) {
            self.init()
            self.path = path.copy()
            fillColor = nil
            strokeColor = color.cgColor
            lineWidth = width
            lineCap = .round
            lineJoin = .round
            contentsScale = scale
        }
    }
#endif
