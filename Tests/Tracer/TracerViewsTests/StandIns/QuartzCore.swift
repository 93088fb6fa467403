// The part of QuartzCore that our views use; see CoreGraphics.swift. It keeps the tree of layers, so that a test can
// count them; it does not show how they look, whether they are sharp, or in which direction their y axis goes.
@_exported public import CoreGraphics

open class CALayer {
    public init() {}
    open var sublayers: [CALayer]?
    open var contents: Any?
    open var contentsGravity = CALayerContentsGravity.resizeAspect
    open var contentsScale: CGFloat = 1
    open var isGeometryFlipped = false
    open var frame = CGRect(x: 0, y: 0, width: 0, height: 0)
    open var backgroundColor: CGColor?
    open func addSublayer(_ layer: CALayer) { sublayers = (sublayers ?? []) + [layer] }
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

public enum CATransaction {
    public static func begin() {}
    public static func setDisableActions(_ isDisabled: Bool) {}
    public static func commit() {}
}
