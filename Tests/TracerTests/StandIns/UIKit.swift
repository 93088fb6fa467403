// The part of UIKit and QuartzCore that our views use; see CoreGraphics.swift.
@_exported public import CoreGraphics

open class NSObject: Hashable {
    public init() {}
    open var hash: Int { 0 }
    public static func == (a: NSObject, b: NSObject) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) {}
}

public class NSCoder {}

open class CALayer: NSObject {
    public override init() {}
    open var sublayers: [CALayer]?
    open var contents: Any?
    open var contentsGravity = CALayerContentsGravity.resizeAspect
    open var frame = CGRect(x: 0, y: 0, width: 0, height: 0)
    open var backgroundColor: CGColor?
    open var cornerRadius: CGFloat = 0
    open func addSublayer(_ layer: CALayer) {}
}

public struct CALayerContentsGravity: Sendable {
    public static let resizeAspect = CALayerContentsGravity()
}

public struct CAShapeLayerLineCap: Sendable {
    public static let round = CAShapeLayerLineCap()
}

public struct CAShapeLayerLineJoin: Sendable {
    public static let round = CAShapeLayerLineJoin()
}

open class CAShapeLayer: CALayer {
    public override init() {}
    open var path: CGPath?
    open var fillColor: CGColor?
    open var strokeColor: CGColor?
    open var lineWidth: CGFloat = 1
    open var lineCap = CAShapeLayerLineCap.round
    open var lineJoin = CAShapeLayerLineJoin.round
}

public class UIColor: Equatable, @unchecked Sendable {
    public required init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    public static var systemGray: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    public static var systemYellow: UIColor { systemGray }
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { self }
    public var cgColor: CGColor { CGColor() }
    public static func == (a: UIColor, b: UIColor) -> Bool { a === b }
}

public class UIImage: @unchecked Sendable {
    public var cgImage: CGImage? { nil }
}

@MainActor public class UIFontMetrics {
    public static let `default` = UIFontMetrics()
    public func scaledValue(for value: CGFloat) -> CGFloat { value }
}

@MainActor open class UITouch: NSObject {
    public func location(in view: UIView?) -> CGPoint { CGPoint(x: 0, y: 0) }
    public var timestamp: Double { 0 }
}

@MainActor public class UIEvent: NSObject {
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? { nil }
}

public struct UIAccessibilityTraits: Sendable {
    public static let allowsDirectInteraction = UIAccessibilityTraits()
}

public enum UIAccessibility {
    public enum Notification { case announcement }
    @MainActor public static func post(notification: Notification, argument: Any?) {}
}

@MainActor open class UIView: NSObject {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open var isMultipleTouchEnabled = false
    public let layer = CALayer()
    open var bounds = CGRect(x: 0, y: 0, width: 0, height: 0)
    open func layoutSubviews() {}
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open var isAccessibilityElement = false
    open var accessibilityTraits = UIAccessibilityTraits.allowsDirectInteraction
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
}
