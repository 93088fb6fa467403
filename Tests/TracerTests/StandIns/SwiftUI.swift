// The part of SwiftUI that our views use; see CoreGraphics.swift.
@_exported public import CoreGraphics

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<First: View, Second: View>(_ first: First, _ second: Second)
        -> TupleView<First, Second>
    { TupleView() }
}

public struct Modified: View {
    public var body: Never { fatalError() }
}

extension View {
    public func gesture(_ gesture: some Gesture) -> some View { Modified() }
    public func onAppear(perform action: (() -> Void)?) -> some View { Modified() }
    public func onChange<V: Equatable>(of value: V, _ action: @escaping (V, V) -> Void) -> some View { Modified() }
    public func accessibilityElement() -> some View { Modified() }
    public func accessibilityLabel(_ label: String) -> Modified { Modified() }
    public func accessibilityValue(_ value: String) -> Modified { Modified() }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> Modified { Modified() }
}

public struct AccessibilityTraits: Sendable {
    public static let allowsDirectInteraction = AccessibilityTraits()
}

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

public struct GeometryProxy {
    public var size: CGSize { CGSize(width: 0, height: 0) }
}

public struct ZStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct EquatableView<Content: View & Equatable>: View {
    public var body: Never { fatalError() }
}

extension View where Self: Equatable {
    public func equatable() -> EquatableView<Self> { EquatableView() }
}

public struct TupleView<First: View, Second: View>: View {
    public var body: Never { fatalError() }
}

public struct GeometryReader<Content: View>: View {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
    public var body: Never { fatalError() }
}

public struct Canvas: View {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
    public var body: Never { fatalError() }
}

public struct GraphicsContext {
    public struct Shading {
        public static func color(_ color: Color) -> Shading { Shading() }
    }
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {}
    public func fill(_ path: Path, with shading: Shading) {}
    public func draw(_ image: Image, in rect: CGRect) {}
}

public struct Image {
    public init(decorative image: CGImage, scale: CGFloat) {}
}

public struct StrokeStyle {
    public enum Cap { case round }
    public init(lineWidth: CGFloat, lineCap: Cap, lineJoin: Cap) {}
}

public struct Path {
    public init() {}
    public mutating func move(to point: CGPoint) {}
    public mutating func addLine(to point: CGPoint) {}
    public mutating func addLines(_ points: [CGPoint]) {}
    public mutating func closeSubpath() {}
}

public struct Color {
    public enum RGBColorSpace { case sRGB }
    public init(_ space: RGBColorSpace, red: Double, green: Double, blue: Double, opacity: Double) {}
}

@MainActor public protocol Gesture {
    associatedtype Value
}

public struct DragGesture: Gesture {
    public struct Value {
        public var location: CGPoint { CGPoint(x: 0, y: 0) }
        public var startLocation: CGPoint { location }
    }
    public init(minimumDistance: CGFloat) {}
}

extension Gesture {
    public func onChanged(_ action: @escaping (Value) -> Void) -> Self { self }
    public func onEnded(_ action: @escaping (Value) -> Void) -> Self { self }
}
