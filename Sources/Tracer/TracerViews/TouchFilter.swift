/// The rules for touches that draw: not a palm, an eraser or a button of a pencil, and no finger while a pencil is near.
struct TouchFilter: Sendable {
    /// The part of a hand or tool that touches the view.
    enum Tool: Sendable, Hashable {
        /// A finger or a palm, with the radius of its contact in points.
        case finger(radius: Double)
        /// The tip of a pencil.
        case pencil
        /// The first button of a mouse or trackpad.
        case mouse
        /// The eraser of a pencil, or another button.
        case other
    }

    /// The radius in points above which a finger is a palm.
    static let palmRadius = 40.0
    /// The seconds for which a pencil is near after its last touch.
    static let nearness = 2.0

    /// A Boolean value that indicates whether the system reports a pencil near the view.
    var isPencilNear = false
    private var lastPencil = -Double.infinity
    private var fingers: Set<Int> = []

    /// Returns a Boolean value that indicates whether a touch that begins draws.
    ///
    /// - Parameters:
    ///   - touch: The identifier of the touch.
    ///   - time: The time in seconds from any start.
    mutating func draws(_ touch: Int, by tool: Tool, at time: Double) -> Bool {
        notice(tool, at: time)
        switch tool {
        case .pencil: return true
        case .mouse: return !isPencilNear
        case .other: return false
        case .finger(let radius):
            guard radius <= Self.palmRadius, !isPencilNear, time - lastPencil >= Self.nearness else { return false }
            fingers.insert(touch)
            return true
        }
    }

    /// Notes the time of a touch that begins, moves or ends.
    mutating func notice(_ tool: Tool, at time: Double) {
        if tool == .pencil { lastPencil = time }
    }

    /// Notes the end of a touch.
    mutating func end(_ touch: Int) { fingers.remove(touch) }

    /// Returns the fingers that draw while a pencil begins to: the side of the hand that holds it. Forgets them.
    mutating func fingers(replacedBy tool: Tool) -> Set<Int> {
        guard tool == .pencil else { return [] }
        defer { fingers = [] }
        return fingers
    }
}
