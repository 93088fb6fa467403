// The part of CoreGraphics that our views use, as its documentation declares it, so that the views can be compiled and
// run where the frameworks do not exist. Paths count their lines; nothing is drawn.

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
    public init(origin: CGPoint, size: CGSize) { (self.origin, self.size) = (origin, size) }
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        (origin, size) = (CGPoint(x: x, y: y), CGSize(width: width, height: height))
    }
}

public class CGPath {
    /// The number of points; not in the framework.
    public fileprivate(set) var count = 0
    public func copy() -> CGPath? {
        let path = CGMutablePath()
        path.count = count
        return path
    }
}

public class CGMutablePath: CGPath {
    public override init() {}
    public func move(to point: CGPoint) { count += 1 }
    public func addLine(to point: CGPoint) { count += 1 }
}

public final class CGColor: Sendable {
    public let components: [CGFloat]
    public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
    }
}

public final class CFData {}
public struct CFAllocator {}
// swift-format-ignore: AlwaysUseLowerCamelCase, the name of the framework
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CFData? { nil }

public final class CGDataProvider {
    public init?(data: CFData) {}
}

public enum CGColorRenderingIntent: Int32 { case defaultIntent }

public final class CGImage: Sendable {
    public init() {}
    public convenience init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) { return nil }
}
