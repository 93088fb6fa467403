// The part of UIKit that our views use; see CoreGraphics.swift. A test sends the touches; it does not show that the
// system sends them so, or what VoiceOver says.
@_exported public import QuartzCore

open class NSObject: Hashable {
    public init() {}
    open var hash: Int { ObjectIdentifier(self).hashValue }
    public static func == (a: NSObject, b: NSObject) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public class NSCoder {}

public final class UIImage: @unchecked Sendable {
    public enum Orientation: Sendable { case up, right }
    public let cgImage: CGImage?
    public let imageOrientation: Orientation
    public let scale: CGFloat = 1
    public let size = CGSize(width: 1, height: 1)
    public init(cgImage: CGImage, orientation: Orientation) {
        (self.cgImage, imageOrientation) = (cgImage, orientation)
    }
    public func draw(in rect: CGRect) {}
}

public final class UIGraphicsImageRendererFormat {
    public init() {}
    public var scale: CGFloat = 1
}

public final class UIGraphicsImageRendererContext {}

public final class UIGraphicsImageRenderer {
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) {}
    public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        UIImage(cgImage: CGImage(), orientation: .up)
    }
}

public enum UIUserInterfaceStyle: Sendable { case unspecified, light, dark }

public final class UITraitCollection: NSObject {
    public var userInterfaceStyle = UIUserInterfaceStyle.light
    public var displayScale: CGFloat = 3
    /// The factor of the text size; not in the framework.
    public var textScale: CGFloat = 1
}

@MainActor public class UIFontMetrics {
    public static let `default` = UIFontMetrics()
    public func scaledValue(for value: CGFloat, compatibleWith traits: UITraitCollection?) -> CGFloat {
        value * (traits?.textScale ?? 1)
    }
}

@MainActor open class UITouch: NSObject {
    public enum TouchType: Sendable { case direct, indirect, pencil, indirectPointer }
    public var type = TouchType.direct
    public var majorRadius: CGFloat = 20
    public var position = CGPoint(x: 0, y: 0)
    public func location(in view: UIView?) -> CGPoint { position }
    public var timestamp: Double = 0
}

@MainActor public class UIEvent: NSObject {
    public struct ButtonMask: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let secondary = ButtonMask(rawValue: 2)
    }
    public var buttonMask: ButtonMask = []
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? { nil }
}

public struct UIAccessibilityTraits: Sendable {
    public static let allowsDirectInteraction = UIAccessibilityTraits()
}

public enum UIAccessibility {
    public enum Notification { case announcement }
    @MainActor public static var announcements: [String] = []
    @MainActor public static func post(notification: Notification, argument: Any?) {
        announcements.append(argument as? String ?? "")
    }
}

@MainActor open class UIView: NSObject {
    public init(frame: CGRect) { bounds = frame }
    public required init?(coder: NSCoder) {}
    open var isMultipleTouchEnabled = false
    public let layer = CALayer()
    open var bounds = CGRect(x: 0, y: 0, width: 0, height: 0)
    public let traitCollection = UITraitCollection()
    open func layoutSubviews() {}
    open func traitCollectionDidChange(_ previous: UITraitCollection?) {}
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open var isAccessibilityElement = false
    open var accessibilityTraits = UIAccessibilityTraits.allowsDirectInteraction
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
}
