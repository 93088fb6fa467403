/// The simplest failing value that a search found, with the seed that finds it again.
package struct Counterexample<Value> {
    package let value: Value
    /// The error that the property threw, or `nil` if it returned false.
    package let reason: String?
    /// A search that starts with this seed fails in its first case.
    package let seed: UInt64
    package let choices: [UInt64]
    /// The number of cases that passed before.
    package let passed: Int
    package let shrinks: Int
}

package enum SearchOutcome<Value> {
    case holds(cases: Int)
    /// Too many cases were discarded for a result.
    case gaveUp(cases: Int, discarded: Int)
    case fails(Counterexample<Value>)
}

/// A search for a value that violates a property, and for the simplest such value.
package struct PropertySearch<Value> {
    /// The maximum number of attempts to simplify. Each runs the property once.
    private static var shrinkLimit: Int { 20_000 }
    private static var longestElement: Int { 16 }

    private let generator: Generator<Value>
    private let property: (Value) throws -> Bool

    package init(_ generator: Generator<Value>, _ property: @escaping (Value) throws -> Bool) {
        self.generator = generator
        self.property = property
    }

    package func run(seed: UInt64, cases: Int, regressions: [[UInt64]] = []) -> SearchOutcome<Value> {
        for choices in regressions {
            if let failure = failure(ChoiceSource(replaying: choices)) {
                return .fails(shrunk(failure, seed: seed, passed: 0))
            }
        }
        var passed = 0
        var discarded = 0
        var caseSeed = seed
        while passed < cases {
            var source = ChoiceSource(seed: caseSeed)
            switch attempt(&source) {
            case .passed: passed += 1
            case .discarded:
                discarded += 1
                if discarded > 10 * cases { return .gaveUp(cases: passed, discarded: discarded) }
            case .failed(let failure): return .fails(shrunk(failure, seed: caseSeed, passed: passed))
            }
            var next = SplitMix64(seed: caseSeed)
            caseSeed = next.next()
        }
        return .holds(cases: passed)
    }

    private struct Failure {
        let value: Value
        let reason: String?
        let choices: [UInt64]
    }

    private enum Attempt {
        case passed, discarded
        case failed(Failure)
    }

    private func attempt(_ source: inout ChoiceSource) -> Attempt {
        let value: Value
        do { value = try generator.generate(&source) } catch { return .discarded }
        do {
            if try property(value) { return .passed }
            return .failed(Failure(value: value, reason: nil, choices: source.choices))
        } catch is Discard {
            return .discarded
        } catch {
            return .failed(Failure(value: value, reason: "\(error)", choices: source.choices))
        }
    }

    private func failure(_ source: ChoiceSource) -> Failure? {
        var source = source
        if case .failed(let failure) = attempt(&source) { return failure }
        return nil
    }

    private func shrunk(_ failure: Failure, seed: UInt64, passed: Int) -> Counterexample<Value> {
        var simplest = failure
        var shrinks = 0
        var attempts = 0
        /// Keeps the candidate if it still fails and has fewer choices, or as many and smaller ones.
        func accept(_ candidate: [UInt64]) -> Bool {
            guard attempts < Self.shrinkLimit else { return false }
            attempts += 1
            guard let failure = self.failure(ChoiceSource(replaying: candidate)),
                isSimpler(failure.choices, than: simplest.choices)
            else { return false }
            simplest = failure
            shrinks += 1
            return true
        }
        var hasImproved = true
        while hasImproved, attempts < Self.shrinkLimit {
            hasImproved = deleteChunks({ simplest.choices }, accept)
            hasImproved = lowerChoices({ simplest.choices }, accept) || hasImproved
            hasImproved = moveBetweenChoices({ simplest.choices }, accept) || hasImproved
        }
        return Counterexample(
            value: simplest.value, reason: simplest.reason, seed: seed, choices: simplest.choices, passed: passed,
            shrinks: shrinks)
    }

    private func isSimpler(_ choices: [UInt64], than others: [UInt64]) -> Bool {
        choices.count == others.count
            ? choices.lexicographicallyPrecedes(others) : choices.count < others.count
    }

    private func deleteChunks(_ current: () -> [UInt64], _ accept: ([UInt64]) -> Bool) -> Bool {
        var hasImproved = false
        // Long chunks save time. The length of a generated element is unknown, so it tries every short length everywhere.
        var size = max(Self.longestElement, current().count / 2)
        while size > 0 {
            var start = current().count - size
            while start >= 0 {
                var candidate = current()
                if start + size <= candidate.count {
                    candidate.removeSubrange(start..<start + size)
                    if accept(candidate) { hasImproved = true }
                }
                start -= size > Self.longestElement ? size : 1
            }
            size = size > Self.longestElement ? max(Self.longestElement, size / 2) : size - 1
        }
        return hasImproved
    }

    /// Tries zero for each choice, then the smallest value that bisection finds, then a step down.
    private func lowerChoices(_ current: () -> [UInt64], _ accept: ([UInt64]) -> Bool) -> Bool {
        var hasImproved = false
        var index = 0
        while index < current().count {
            var passes: UInt64 = 0
            func lower(to value: UInt64) -> Bool {
                var candidate = current()
                guard index < candidate.count, value < candidate[index] else { return false }
                candidate[index] = value
                guard accept(candidate) else { return false }
                hasImproved = true
                return true
            }
            if current()[index] > 0, !lower(to: 0) {
                while index < current().count, current()[index] - passes > 1 {
                    let middle = passes + (current()[index] - passes) / 2
                    if !lower(to: middle) { passes = middle }
                }
            }
            index += 1
        }
        return hasImproved
    }

    /// Moves all of one choice to a later one: `[44, 6]` with the sum 50 becomes `[0, 50]`, which can lose its first element.
    private func moveBetweenChoices(_ current: () -> [UInt64], _ accept: ([UInt64]) -> Bool) -> Bool {
        var hasImproved = false
        for index in current().indices {
            for distance in 1...4 {
                var candidate = current()
                guard index + distance < candidate.count, candidate[index] > 0 else { break }
                let (sum, overflows) = candidate[index + distance].addingReportingOverflow(candidate[index])
                if overflows { continue }
                candidate[index] = 0
                candidate[index + distance] = sum
                if accept(candidate) { hasImproved = true }
            }
        }
        return hasImproved
    }
}
