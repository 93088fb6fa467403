#if canImport(SwiftUI)
    internal import CoreGraphics
    public import SwiftUI

    /// A SwiftUI view in which a letter is traced.
    ///
    ///     @State var surface = TraceSurface(glyph: glyph)
    ///     var body: some View { TracingCanvas(surface: $surface) }
    public struct TracingCanvas: View {
        @Binding private var surface: TraceSurface
        @State private var opened = ContinuousClock.now
        private let picture: TracePicture

        /// Creates a view.
        ///
        /// - Parameters:
        ///   - surface: The letter and its trace, which the view resizes to its own size.
        ///   - picture: The appearance.
        public init(surface: Binding<TraceSurface>, picture: TracePicture = TracePicture()) {
            _surface = surface
            self.picture = picture
        }

        public var body: some View {
            GeometryReader { geometry in
                ZStack {
                    GuideCanvas(surface: surface, picture: picture).equatable()
                    Canvas { context, _ in
                        guard let session = surface.session else { return }
                        for item in picture.lines(of: session) { item.draw(in: context) }
                    }
                }
                .gesture(drag)
                .onAppear { surface.resize(to: TraceSize(geometry.size)) }
                .onChange(of: geometry.size) { _, size in surface.resize(to: TraceSize(size)) }
            }
            .accessibilityElement()
            .accessibilityLabel("Letter \(surface.glyph.name)")
            .accessibilityValue("\(Int((surface.session?.completion ?? 0) * 100)) percent drawn")
            .accessibilityAddTraits(.allowsDirectInteraction)
        }

        /// A drag without a minimum distance, so that taps draw dots. Its first event is the start of the touch.
        private var drag: some Gesture {
            DragGesture(minimumDistance: 0)
                .onChanged { value in
                    let point = TracePoint(value.location)
                    let start = TracePoint(value.startLocation)
                    let time = (ContinuousClock.now - opened) / .seconds(1)
                    surface.withSession { session in
                        if !session.isTouchDown() { session.begin(at: start, time: time) }
                        if point != start { session.move(to: point, time: time) }
                    }
                }
                .onEnded { _ in surface.withSession { $0.end() } }
        }
    }

    /// The view behind the lines, which is redrawn only when it changes and not with every line.
    private struct GuideCanvas: View, Equatable {
        let surface: TraceSurface
        let picture: TracePicture

        var body: some View {
            Canvas { context, _ in
                guard let target = surface.session?.target else { return }
                for item in picture.displayList(of: target, size: surface.size).items { item.draw(in: context) }
            }
        }

        nonisolated static func == (a: GuideCanvas, b: GuideCanvas) -> Bool {
            a.surface.hasSameTarget(as: b.surface) && a.picture.hasSameGuide(as: b.picture)
        }
    }

    extension DisplayList.Item {
        fileprivate func draw(in context: GraphicsContext) {
            switch self {
            case .stroke(let points, let width, let color): Self.draw([points], width, color, in: context)
            case .strokes(let lines, let width, let color): Self.draw(lines, width, color, in: context)
            case .number: for shape in shapes { shape.draw(in: context) }
            case .fill(let polygon, let color):
                var path = SwiftUI.Path()
                path.addLines(polygon.map { CGPoint($0) })
                path.closeSubpath()
                context.fill(path, with: .color(SwiftUI.Color(color)))
            case .image(let image, let frame):
                guard let pixels = CGImage.reading(image) else { return }
                context.draw(SwiftUI.Image(decorative: pixels, scale: 1), in: CGRect(frame))
            }
        }
    }

    extension DisplayList.Item {
        private static func draw(
            _ lines: [[TracePoint]], _ width: Double, _ color: TraceColor, in context: GraphicsContext
        ) {
            var path = SwiftUI.Path()
            for points in lines {
                guard let first = points.first else { continue }
                path.move(to: CGPoint(first))
                for point in points.count > 1 ? points.dropFirst() : points[...] {
                    path.addLine(to: CGPoint(point))
                }
            }
            let style = StrokeStyle(lineWidth: width, lineCap: .round, lineJoin: .round)
            context.stroke(path, with: .color(SwiftUI.Color(color)), style: style)
        }
    }

    extension SwiftUI.Color {
        fileprivate init(_ color: TraceColor) {
            self.init(
                .sRGB, red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
                opacity: Double(color.alpha) / 255)
        }
    }
#endif
