// The part of Combine that our model uses. It counts what is sent, and has no subscribers.

public final class ObservableObjectPublisher {
    @MainActor public static var sent = 0
    public init() {}
    @MainActor public func send() { Self.sent += 1 }
}

public protocol ObservableObject: AnyObject {}

extension ObservableObject {
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}
