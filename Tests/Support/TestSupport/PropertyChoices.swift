/// The random number generator SplitMix64 (Steele, Lea, Flood 2014) with 64 bits of state. Any seed is good.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64
    static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns an independent generator, and advances this one.
    package mutating func split() -> SplitMix64 {
        SplitMix64(seed: next())
    }
}

/// An error that a generator throws if it has no value for these choices, and a property if a value does not concern it.
package struct Discard: Error {
    package init() {}
}

/// The source of a generator's choices: bounded integers, drawn from a seed or replayed from an earlier run.
///
/// It records every choice. Shrinking edits the record and replays it, so all generated values shrink, including mapped and
/// filtered ones. Zero is always the simplest choice.
package struct ChoiceSource {
    private var random: SplitMix64
    private let replayed: [UInt64]?
    package private(set) var choices: [UInt64] = []

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        replayed = nil
    }

    /// Choices beyond the end of the record are zero; choices beyond their bound are cut to it.
    package init(replaying choices: [UInt64]) {
        random = SplitMix64(seed: 0)
        replayed = choices
    }

    package var isReplaying: Bool { replayed != nil }

    /// Returns a choice in `0...bound`, which is uniform unless `pick` proposes another one.
    package mutating func draw(
        upTo bound: UInt64, _ pick: (inout SplitMix64) -> UInt64? = { _ in nil }
    ) -> UInt64 {
        let choice: UInt64
        if let replayed {
            choice = choices.count < replayed.count ? min(replayed[choices.count], bound) : 0
        } else {
            choice = min(pick(&random) ?? .random(in: 0...bound, using: &random), bound)
        }
        choices.append(choice)
        return choice
    }

    /// Runs `body` up to `limit` times until it returns a value, and discards the choices of failed attempts.
    mutating func retry<Value>(_ limit: Int, _ body: (inout ChoiceSource) throws -> Value?) throws -> Value {
        for _ in 0..<(isReplaying ? 1 : limit) {
            let mark = choices.count
            if let value = try body(&self) { return value }
            choices.removeSubrange(mark...)
        }
        throw Discard()
    }

    /// Calls `body` with random numbers that are not recorded, to propose a choice to ``draw(upTo:_:)``.
    mutating func withRandom<Value>(_ body: (inout SplitMix64) -> Value) -> Value {
        body(&random)
    }
}
