// The part of SwiftUI that our views use; see CoreGraphics.swift. It does not show when SwiftUI makes and updates a view.
@_exported public import Combine

#if canImport(UIKit)
    @_exported public import UIKit
#else
    @_exported public import AppKit
#endif

@MainActor public protocol View {}

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
    public let wrappedValue: Object
    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}

public struct RepresentableContext {
    public init() {}
}

#if canImport(UIKit)
    @MainActor public protocol UIViewRepresentable: View {
        associatedtype UIViewType: UIView
        typealias Context = RepresentableContext
        func makeUIView(context: Context) -> UIViewType
        func updateUIView(_ view: UIViewType, context: Context)
    }
#else
    @MainActor public protocol NSViewRepresentable: View {
        associatedtype NSViewType: NSView
        typealias Context = RepresentableContext
        func makeNSView(context: Context) -> NSViewType
        func updateNSView(_ view: NSViewType, context: Context)
    }
#endif
