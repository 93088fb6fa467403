import CLibrary
package import Testing

/// Checks that a property holds for random values, and records an issue with the simplest counter-example if it doesn't.
///
///     checkProperty("reversing twice changes nothing", Generator<Int>.integer(in: 0...9).array()) {
///         $0.reversed().reversed() == $0
///     }
///
/// The property returns false or throws to fail, and throws ``Discard`` to skip a value; it must not use `#expect`, which
/// would report every step of the shrinking. ``expectEqual(_:_:_:)`` throws with both values.
///
/// The seed depends on the name, so all runs are equal. Set `LANE_PROPERTY_SEED` to the seed of a failure to replay it, or to
/// `random`. `LANE_PROPERTY_CASES` multiplies the number of cases (`10x`) or sets it (`5000`).
///
/// - Parameter regressions: The choices of earlier failures, which run first.
package func checkProperty<Value>(
    _ name: String, _ generator: Generator<Value>, cases: Int = 100, regressions: [[UInt64]] = [],
    sourceLocation: SourceLocation = #_sourceLocation, _ property: @escaping (Value) throws -> Bool
) {
    let settings = PropertySettings(name: name, cases: cases)
    let search = PropertySearch(generator, property)
    switch search.run(seed: settings.seed, cases: settings.cases, regressions: regressions) {
    case .holds: break
    case .gaveUp(let passed, let discarded):
        Issue.record(
            "property '\(name)': only \(passed) of \(settings.cases) cases, \(discarded) discarded",
            sourceLocation: sourceLocation)
    case .fails(let found):
        Issue.record("\(describe(found, name: name))", sourceLocation: sourceLocation)
    }
}

/// Returns the report of a counterexample: the value, the failure, and the way to reproduce it.
package func describe<Value>(_ found: Counterexample<Value>, name: String) -> String {
    """
    property '\(name)' fails for \(String(reflecting: found.value))
    \(found.reason.map { "because: \($0)\n" } ?? "")\
    after \(found.passed) cases passed and \(found.shrinks) steps of shrinking
    replay: LANE_PROPERTY_SEED=0x\(String(found.seed, radix: 16))
    regression: \(found.choices)
    """
}

package struct PropertySettings {
    package let seed: UInt64
    package let cases: Int

    package init(
        name: String, cases: Int,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        switch environment("LANE_PROPERTY_SEED") {
        case "random": seed = .random(in: 0 ... .max)
        case let text?:
            let isHexadecimal = text.hasPrefix("0x")
            seed = UInt64(isHexadecimal ? String(text.dropFirst(2)) : text, radix: isHexadecimal ? 16 : 10) ?? 0
        // FNV-1a of the name, because Swift's hashes differ between processes.
        case nil: seed = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        switch environment("LANE_PROPERTY_CASES") {
        case let text? where text.hasSuffix("x"):
            self.cases = max(1, Int(Double(cases) * (Double(text.dropLast()) ?? 1)))
        case let text?: self.cases = max(1, Int(text) ?? cases)
        case nil: self.cases = cases
        }
    }
}

/// Two values that should have been equal.
package struct Mismatch: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// Returns `true` if two values are equal, and otherwise throws an error with both.
package func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String = "value") throws -> Bool {
    guard found != expected else { return true }
    throw Mismatch(description: "expected \(what) \(expected), found \(found)")
}
