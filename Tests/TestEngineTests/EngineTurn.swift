import TestSupport
import Testing

private let gate = TurnTaking.Gate(1)

extension Trait where Self == TurnTaking {
    /// Runs one test of an engine at a time.
    static var engineTurn: TurnTaking { TurnTaking(gate) }
}
