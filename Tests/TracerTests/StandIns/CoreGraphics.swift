// The part of CoreGraphics that our views use, as its documentation declares it. Nothing here does anything: it is there
// so that the views can be type-checked where the frameworks do not exist.

public typealias CGFloat = Double

public struct CGPoint: Equatable, Sendable {
    public var x, y: CGFloat
    public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
}

public struct CGSize: Equatable, Sendable {
    public var width, height: CGFloat
    public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
}

public struct CGRect: Equatable, Sendable {
    public var origin: CGPoint
    public var size: CGSize
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        (origin, size) = (CGPoint(x: x, y: y), CGSize(width: width, height: height))
    }
}

public class CGPath {
    public func copy() -> CGPath? { nil }
}

public class CGMutablePath: CGPath {
    public override init() {}
    public func move(to point: CGPoint) {}
    public func addLine(to point: CGPoint) {}
}

public final class CGColor: Sendable {
    public init() {}
}

public final class CFData {}
public struct CFAllocator {}
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CFData? { nil }

public final class CGDataProvider {
    public init?(data: CFData) {}
}

public enum CGColorRenderingIntent: Int32 { case defaultIntent }

public final class CGImage: Sendable {
    public convenience init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) { return nil }
}
