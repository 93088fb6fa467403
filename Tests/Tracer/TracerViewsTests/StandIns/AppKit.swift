// The part of AppKit that our views use; see UIKit.swift.
@_exported public import QuartzCore

public typealias NSRect = CGRect

public class NSCoder {}

public final class NSImage: @unchecked Sendable {
    public init() {}
    public func cgImage(forProposedRect rect: UnsafeMutablePointer<NSRect>?, context: Any?, hints: [String: Any]?)
        -> CGImage?
    { CGImage() }
}

public final class NSAppearance {
    public struct Name: Equatable, Sendable {
        let name: String
        public static let aqua = Name(name: "aqua")
        public static let darkAqua = Name(name: "darkAqua")
    }
    public var name = Name.aqua
    public func bestMatch(from names: [Name]) -> Name? { name }
}

@MainActor public final class NSWindow {
    public var backingScaleFactor: CGFloat { 2 }
}

public final class NSEvent {
    public let locationInWindow: CGPoint
    public let timestamp: Double
    public enum EventSubtype: Sendable { case mouseEvent, tabletPoint, tabletProximity }
    public enum PointingDeviceType: Sendable { case unknown, pen, cursor, eraser }
    public struct ButtonMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let penTip = ButtonMask(rawValue: 1)
        public static let penLowerSide = ButtonMask(rawValue: 2)
        public static let penUpperSide = ButtonMask(rawValue: 4)
    }
    public var subtype = EventSubtype.mouseEvent
    public var buttonMask: ButtonMask = []
    public var pointingDeviceType = PointingDeviceType.unknown
    public var isEnteringProximity = false
    public init(at point: CGPoint, timestamp: Double) { (locationInWindow, self.timestamp) = (point, timestamp) }
}

public enum NSAccessibilityRole { case image }

@MainActor open class NSView {
    public init(frame: NSRect) { bounds = frame }
    public required init?(coder: NSCoder) {}
    open var layer: CALayer?
    open var wantsLayer = false
    open var bounds = CGRect(x: 0, y: 0, width: 0, height: 0)
    public var window: NSWindow? { nil }
    public let effectiveAppearance = NSAppearance()
    open var isFlipped: Bool { false }
    open func layout() {}
    open func viewDidChangeEffectiveAppearance() {}
    open func viewDidChangeBackingProperties() {}
    open func mouseDown(with event: NSEvent) {}
    open func mouseDragged(with event: NSEvent) {}
    open func mouseUp(with event: NSEvent) {}
    open func tabletProximity(with event: NSEvent) {}
    public func convert(_ point: CGPoint, from view: NSView?) -> CGPoint { point }
    public func setAccessibilityElement(_ isElement: Bool) {}
    public func setAccessibilityRole(_ role: NSAccessibilityRole?) {}
    open func accessibilityLabel() -> String? { nil }
    open func accessibilityValue() -> Any? { nil }
}
