import TestSupport
import Testing

private let turns = TurnTaking(1)

extension Trait where Self == TurnTaking {
    /// Runs one test of an engine at a time.
    static var engineTurn: TurnTaking { turns }
}
