// The part of SwiftUI that our views and the app in Demo use; see CoreGraphics.swift. It does not show when SwiftUI makes
// and updates a view, nor how one looks.
@_exported public import Combine

#if canImport(UIKit)
    @_exported public import UIKit
#else
    @_exported public import AppKit
#endif

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { self }
}

extension View where Body == Never {
    // The system draws such a view.
    public var body: Never { fatalError("a view of the system has no body") }
}

extension View {
    public func padding() -> some View { self }
    public func opacity(_ opacity: Double) -> some View { self }
    public func scaledToFit() -> some View { self }
    public func tag(_ tag: some Hashable) -> some View { self }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct TupleView<Content>: View { public typealias Body = Never }

public struct HStack<Content: View>: View {
    public typealias Body = Never
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

public struct VStack<Content: View>: View {
    public typealias Body = Never
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

public struct ZStack<Content: View>: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
    public typealias Body = Never
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct Text: View {
    public typealias Body = Never
    public init(_ content: some StringProtocol) {}
}

public struct Image: View {
    public typealias Body = Never
    public init(systemName: String) {}
    public func resizable() -> Image { self }
}

public struct Button: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

public struct Toggle: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}
}

public struct Picker<Selection: Hashable, Content: View>: View {
    public typealias Body = Never
    public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}

public struct Slider: View {
    public typealias Body = Never
    public init(value: Binding<Double>, in bounds: ClosedRange<Double>) {}
}

@MainActor public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: WindowGroup { self }
}

@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@dynamicMemberLookup public struct Binding<Value> {
    public let wrappedValue: Value
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(wrappedValue: wrappedValue[keyPath: path])
    }
}

@propertyWrapper public struct State<Value> {
    public let wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var projectedValue: Binding<Value> { Binding(wrappedValue: wrappedValue) }
}

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
    public let wrappedValue: Object
    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    @MainActor @dynamicMemberLookup public struct Wrapper {
        let object: Object
        public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Object, Member>) -> Binding<Member> {
            Binding(wrappedValue: object[keyPath: path])
        }
    }
}

public struct RepresentableContext {
    public init() {}
}

#if canImport(UIKit)
    @MainActor public protocol UIViewRepresentable: View where Body == Never {
        associatedtype UIViewType: UIView
        typealias Context = RepresentableContext
        func makeUIView(context: Context) -> UIViewType
        func updateUIView(_ view: UIViewType, context: Context)
    }
#else
    @MainActor public protocol NSViewRepresentable: View where Body == Never {
        associatedtype NSViewType: NSView
        typealias Context = RepresentableContext
        func makeNSView(context: Context) -> NSViewType
        func updateNSView(_ view: NSViewType, context: Context)
    }
#endif
