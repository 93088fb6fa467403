#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
    public import SwiftUI
    public import Tracer

    /// A SwiftUI view in which letters are traced. Its ``TraceView`` draws only changes, accepts several touches at
    /// once, and ends touches that the system cancels.
    ///
    ///     @StateObject private var model = TraceModel(glyphs: Alphabet.uppercase)
    ///     var body: some View { TracingCanvas(model: model) }
    public struct TracingCanvas {
        private let model: TraceModel
        private let picture: @MainActor (TracePicture.Scheme) -> TracePicture

        /// Creates a view.
        ///
        /// - Parameters:
        ///   - model: The letters and the trace. The view does not observe it; it is not built again for every touch.
        ///   - picture: Returns the appearance in light or dark surroundings. The view adopts a new one if its colors,
        ///     images, cues, line width or delegate differ.
        public init(
            model: TraceModel,
            picture: @escaping @MainActor (TracePicture.Scheme) -> TracePicture = { TracePicture($0) }
        ) {
            self.model = model
            self.picture = picture
        }

        @MainActor private func makeView() -> TraceView {
            let view = TraceView(model: model)
            view.picture = picture
            return view
        }

        @MainActor private func update(_ view: TraceView) {
            if view.model !== model { view.model = model }
            let isSame = TracePicture.Scheme.allCases.allSatisfy { picture($0).looksLike(view.picture($0)) }
            if !isSame { view.picture = picture }
        }
    }

    extension TracePicture {
        /// Returns a Boolean value that indicates whether two pictures are the same.
        fileprivate func looksLike(_ other: TracePicture) -> Bool {
            backgroundColor == other.backgroundColor && backgroundImage == other.backgroundImage
                && guideColor == other.guideColor && keyPointColor == other.keyPointColor && cues == other.cues
                && cueColor == other.cueColor && endColor == other.endColor
                && writingLineColor == other.writingLineColor && keyPointImage == other.keyPointImage
                && lineWidth == other.lineWidth && delegate === other.delegate
        }
    }

    #if canImport(UIKit)
        extension TracingCanvas: UIViewRepresentable {
            public func makeUIView(context: Context) -> TraceView { makeView() }
            public func updateUIView(_ view: TraceView, context: Context) { update(view) }
        }
    #else
        extension TracingCanvas: NSViewRepresentable {
            public func makeNSView(context: Context) -> TraceView { makeView() }
            public func updateNSView(_ view: TraceView, context: Context) { update(view) }
        }
    #endif
#endif
