#if canImport(CoreGraphics)
    internal import CoreGraphics

    extension CGPoint {
        init(_ point: TracePoint) {
            self.init(x: point.x, y: point.y)
        }
    }

    extension CGRect {
        init(_ rect: TraceRect) {
            self.init(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height)
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

    extension TracePoint {
        init(_ point: CGPoint) {
            self.init(Double(point.x), Double(point.y))
        }
    }

    extension TraceSize {
        init(_ size: CGSize) {
            self.init(Double(size.width), Double(size.height))
        }
    }
#endif
