#if canImport(CoreGraphics)
    public import CoreGraphics
    public import Tracer

    extension CGPoint {
        public init(_ point: TracePoint) { self.init(x: point.x, y: point.y) }
    }

    extension CGSize {
        public init(_ size: TraceSize) { self.init(width: size.width, height: size.height) }
    }

    extension CGRect {
        public init(_ rect: TraceRect) { self.init(origin: CGPoint(rect.origin), size: CGSize(rect.size)) }
    }

    extension TracePoint {
        public init(_ point: CGPoint) { self.init(Double(point.x), Double(point.y)) }
    }

    extension TraceSize {
        public init(_ size: CGSize) { self.init(Double(size.width), Double(size.height)) }
    }

    extension TraceRect {
        public init(_ rect: CGRect) { self.init(origin: TracePoint(rect.origin), size: TraceSize(rect.size)) }
    }

    extension TracePath {
        /// The path for Core Graphics, made of straight lines.
        public var cgPath: CGPath { CGPath.lines([points]) }
    }

    extension TraceColor {
        /// The color in sRGB.
        public var cgColor: CGColor {
            CGColor(
                srgbRed: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255,
                alpha: CGFloat(alpha) / 255)
        }
    }

    extension CGPath {
        /// Returns a path of lines. A single point becomes a line without length, of which only the round caps are
        /// drawn.
        static func lines(_ lines: [[TracePoint]]) -> CGPath {
            let path = CGMutablePath()
            for points in lines {
                guard let first = points.first else { continue }
                path.move(to: CGPoint(first))
                for point in points.count > 1 ? points.dropFirst() : points[...] { path.addLine(to: CGPoint(point)) }
            }
            return path
        }
    }

    extension CGImage {
        /// Returns the decoded image, or `nil` if the system cannot read it.
        static func reading(_ image: PNGImage) -> CGImage? {
            guard let data = CFDataCreate(nil, image.data, image.data.count),
                let provider = CGDataProvider(data: data)
            else { return nil }
            return CGImage(
                pngDataProviderSource: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
        }
    }
#endif
