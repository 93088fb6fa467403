import JSON

/// The state of a bisection, from which it can be resumed.
package struct BisectionRecord: Sendable, Equatable {
    /// The program whose result is searched.
    package enum Target: Sendable, Equatable {
        /// The tests that match a pattern, as in `lane test PATTERN`.
        case test(String)
        /// A lane with its arguments.
        case lane(String, arguments: [String])
    }

    package let target: Target
    /// The hashes of the two ends.
    package let good: String
    package let bad: String
    /// The number of attempts that the user has asked for, or `nil` if the known rate decides.
    package let repetitions: Int?
    /// The tests or steps that fail at the bad commit. Empty before it was tested.
    package var failures: [String] = []
    package var plan = SamplingPlan.once
    /// The chance that the result is wrong because of a flaky test, or `nil` if no rate is known.
    package var errorChance: Double?
    /// The verdicts in the order of the tests.
    package var verdicts: [Entry] = []

    package struct Entry: Sendable, Equatable {
        package let hash: String
        package let verdict: CommitVerdict
    }

    package init(target: Target, good: String, bad: String, repetitions: Int? = nil) {
        self.target = target
        self.good = good
        self.bad = bad
        self.repetitions = repetitions
    }
}

// MARK: JSON

extension BisectionRecord {
    /// The version of the format. A file of another version is not read.
    private static let version = 1

    /// The record as JSON.
    package var json: String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", Self.version)
            switch target {
            case .test(let pattern): writer.member("test", pattern)
            case .lane(let name, let arguments):
                writer.member("lane", name)
                writer.member("arguments", arguments)
            }
            writer.member("good", good)
            writer.member("bad", bad)
            if let repetitions { writer.member("repeat", repetitions) }
            writer.member("failures", failures)
            switch plan {
            case .untilPass(let attempts): writer.member("untilPass", attempts)
            case .untilFailure(let attempts): writer.member("untilFailure", attempts)
            }
            if let errorChance { writer.member("errorChance", errorChance) }
            writer.array("verdicts") { writer in
                for entry in verdicts {
                    writer.object { writer in
                        writer.member("commit", entry.hash)
                        writer.member("verdict", entry.verdict.rawValue)
                    }
                }
            }
        }
        return writer.text + "\n"
    }

    /// Reads a record. Returns `nil` if the text is none, or that of another version.
    package init?(json: String) {
        guard let node = try? JSONParser.parse(json), node["version"]?.integer == Self.version,
            let good = node["good"]?.string, let bad = node["bad"]?.string
        else { return nil }
        if let pattern = node["test"]?.string {
            target = .test(pattern)
        } else if let lane = node["lane"]?.string {
            target = .lane(lane, arguments: (node["arguments"]?.array ?? []).compactMap(\.string))
        } else {
            return nil
        }
        (self.good, self.bad, repetitions) = (good, bad, node["repeat"]?.integer)
        failures = (node["failures"]?.array ?? []).compactMap(\.string)
        if let attempts = node["untilPass"]?.integer {
            plan = .untilPass(attempts: attempts)
        } else if let attempts = node["untilFailure"]?.integer {
            plan = .untilFailure(attempts: attempts)
        }
        errorChance = node["errorChance"]?.number
        verdicts = (node["verdicts"]?.array ?? []).compactMap { entry in
            guard let hash = entry["commit"]?.string,
                let verdict = entry["verdict"]?.string.flatMap(CommitVerdict.init(rawValue:))
            else { return nil }
            return Entry(hash: hash, verdict: verdict)
        }
    }
}
