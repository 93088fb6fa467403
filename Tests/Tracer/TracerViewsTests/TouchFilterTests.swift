import Testing

@testable import TracerViews

@Suite struct TouchFilterTests {
    private static let finger = TouchFilter.Tool.finger(radius: 20)

    /// Returns whether touches draw, each of which begins a second after the one before.
    private func draws(_ tools: TouchFilter.Tool..., isPencilNear: Bool = false) -> [Bool] {
        var filter = TouchFilter()
        filter.isPencilNear = isPencilNear
        return tools.enumerated().map { number, tool in
            filter.draws(number, by: tool, at: Double(number))
        }
    }

    @Test func fingersPencilsAndTheFirstButtonDraw() {
        #expect(draws(Self.finger, .mouse, .finger(radius: 0), .pencil, .pencil) == [true, true, true, true, true])
    }

    @Test func palmsErasersAndOtherButtonsDoNot() {
        #expect(draws(.finger(radius: 60), .other, Self.finger) == [false, false, true])
    }

    @Test func noFingerDrawsForTwoSecondsAfterAPencil() {
        #expect(draws(.pencil, Self.finger, Self.finger, Self.finger) == [true, false, true, true])
        // A pencil that is still drawing is near.
        var filter = TouchFilter()
        _ = filter.draws(1, by: .pencil, at: 0)
        filter.notice(.pencil, at: 5)
        let isRefused = !filter.draws(2, by: Self.finger, at: 6)
        #expect(isRefused)
    }

    @Test func onlyThePencilDrawsWhileTheSystemReportsItNear() {
        #expect(draws(Self.finger, .mouse, .pencil, isPencilNear: true) == [false, false, true])
    }

    @Test func aPencilReplacesTheFingersThatDraw() {
        var filter = TouchFilter()
        for touch in 1...3 { _ = filter.draws(touch, by: Self.finger, at: 0) }
        filter.end(2)
        let none = filter.fingers(replacedBy: Self.finger)
        let palm = filter.fingers(replacedBy: .pencil)
        let again = filter.fingers(replacedBy: .pencil)
        #expect(none == [] && palm == [1, 3] && again == [])
    }
}
