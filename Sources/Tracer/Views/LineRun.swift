#if canImport(UIKit) && !os(watchOS)
    internal import CoreGraphics
    internal import UIKit

    /// Adjacent lines of the same stroke and color in a layer; limited in length, so that adding a line redraws little.
    @MainActor final class LineRun {
        private static let longest = 64

        let layer: CAShapeLayer
        private let path = CGMutablePath()
        private let stroke: Int
        private let color: UIColor
        private var end: TracePoint
        private var count = 1

        init(_ line: TracedLine, _ color: UIColor, width: CGFloat) {
            stroke = line.stroke
            self.color = color
            end = line.segment.end
            path.move(to: CGPoint(line.segment.start))
            path.addLine(to: CGPoint(line.segment.end))
            layer = CAShapeLayer(path, color: color, width: width)
        }

        func takes(_ line: TracedLine, _ color: UIColor) -> Bool {
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
        convenience init(_ path: CGMutablePath, color: UIColor, width: CGFloat) {
            self.init()
            self.path = path.copy()
            fillColor = nil
            strokeColor = color.cgColor
            lineWidth = width
            lineCap = .round
            lineJoin = .round
        }
    }

    extension UIColor {
        convenience init(_ color: LineColor) {
            let standard = TracePicture.standard(color)
            self.init(
                red: CGFloat(standard.red) / 255, green: CGFloat(standard.green) / 255,
                blue: CGFloat(standard.blue) / 255, alpha: 1)
        }
    }
#endif
