// The part of Combine that our model uses. It publishes nothing: that SwiftUI sees a change is not shown.

@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

public protocol ObservableObject: AnyObject {}
