import Events
import Text

/// The selected tests of a run.
struct TestSelection {
    /// The tests in the order of the list.
    var tests: [ListedTest] = []
    /// A Boolean value that indicates whether `--failed` selects all tests, because the last run failed without one of
    /// them.
    private(set) var runsAllAfterFailure = false
    /// The part of the selected tests, if they are divided.
    var part: TestShard?
    /// The reason why no test is selected, if none is.
    var emptiness: Emptiness?

    enum Emptiness: Equatable {
        case noTests
        case noMatch(patterns: [String], nearest: [String])
        case allSkipped(patterns: [String])
        /// No selected test is in the modules to run.
        case noneConcerned
        /// The option `--failed` is set, and the selected tests succeeded in the last run. `others` tests did not.
        case noneFailed(others: Int)
        /// The option `--failed` is set, and no earlier run has recorded any of the selected tests.
        case noneRecorded
        /// The shard has no tests, because there are more shards than tests.
        case emptyShard(Shard)
    }

    init(
        of listed: [ListedTest], options: TestOptions, history: TestHistory?,
        duration: (TestID) -> Duration? = { _ in nil }
    ) throws(TestEngineFailure) {
        guard !listed.isEmpty else {
            emptiness = .noTests
            return
        }
        var chosen = Set(listed.indices)
        if !options.choice.filter.isEmpty {
            chosen = try TestPattern.matches(options.choice.filter, in: listed)
            if chosen.isEmpty {
                emptiness = .noMatch(
                    patterns: options.choice.filter, nearest: nearestNames(to: options.choice.filter, in: listed))
                return
            }
        }
        chosen.subtract(try TestPattern.matches(options.choice.skip, in: listed))
        if chosen.isEmpty {
            emptiness = .allSkipped(patterns: options.choice.skip)
            return
        }
        if let modules = options.choice.modules {
            chosen = chosen.filter { modules.contains(listed[$0].id.module) }
            if chosen.isEmpty {
                part = options.choice.shard?.description(of: [])
                emptiness = .noneConcerned
                return
            }
        }
        if options.choice.failedOnly {
            let failed = chosen.filter { history?.isOutstanding(listed[$0].id) == true }
            if !failed.isEmpty {
                chosen = failed
            } else if history?.hasFailedRun == true {
                // The last run failed outside any test, or its tests have other names now.
                runsAllAfterFailure = true
            } else {
                guard let history, chosen.contains(where: { history.knows(listed[$0].id) }) else {
                    emptiness = .noneRecorded
                    return
                }
                emptiness = .noneFailed(others: listed.count { history.isOutstanding($0.id) })
                return
            }
        }
        tests = chosen.sorted().map { listed[$0] }
        if let shard = options.choice.shard {
            part = shard.description(of: tests.map(\.id))
            let part = shard.part(of: tests.map(\.id), duration: duration)
            tests.removeAll { !part.contains($0.id) }
            if tests.isEmpty { emptiness = .emptyShard(shard) }
        }
        for index in try TestPattern.matches(options.choice.exclusive, in: tests) { tests[index].isExclusive = true }
    }
}

/// Returns up to three names of tests, suites or modules that are similar to patterns without matches.
func nearestNames(to patterns: [String], in tests: [ListedTest]) -> [String] {
    var candidates: Set<String> = []
    for test in tests {
        let name = test.id.name.split(separator: "(").first.map(String.init) ?? test.id.name
        candidates.formUnion([test.id.module, test.id.suite, test.id.name, name, test.id.description])
        candidates.formUnion(test.id.suite.split(separator: "/").map(String.init))
        if !test.id.suite.isEmpty {
            candidates.formUnion(["\(test.id.module).\(test.id.suite)", "\(test.id.suite)/\(test.id.name)"])
        }
        if let displayName = test.info.displayName { candidates.insert(displayName) }
        candidates.formUnion(test.suiteDisplayNames)
    }
    candidates.remove("")
    var found: [String] = []
    for pattern in patterns {
        let word = pattern.filter { !"^$*|\\".contains($0) }
        let sameLetters = candidates.filter { $0.lowercased().contains(word.lowercased()) }.min()
        if !word.isEmpty, let name = sameLetters ?? nearest(to: word, among: candidates.sorted()),
            !found.contains(name)
        {
            found.append(name)
        }
    }
    return Array(found.prefix(3))
}
