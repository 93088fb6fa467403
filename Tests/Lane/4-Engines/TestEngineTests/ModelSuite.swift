import Events
import TestSupport

@testable import TestEngine

/// A generated package: the behavior of its tests, and the machine.
struct ModelSuite: Sendable {
    enum Behavior: Sendable, Equatable {
        /// Uses a thread for some milliseconds.
        case works(Int)
        /// Suspends and releases the thread for some milliseconds.
        case awaits(Int)
        case fails
        /// Records a failure and then suspends for some milliseconds.
        case failsAndAwaits(Int)
        case hangs, hangsAwaiting
        case crashes(Int)
        /// Runs on the main actor.
        case worksOnMain(Int)
        case hangsOnMain
        /// Succeeds, unless other tests run in its process.
        case hangsInCompany(recording: Bool)
        case crashesInCompany
    }

    struct Test: Sendable {
        let behavior: Behavior
        let isXCTest: Bool
        /// The test belongs to a serialized suite.
        let isSerialized: Bool
    }

    let tests: [Test]
    let workers: Int
    /// A Boolean value that indicates whether the end of a test is reported only when a thread is available.
    let endsLate: Bool
    let retries: Int
    let seed: UInt64

    static let generator = Generator<ModelSuite> { source in
        let tests = try test.array(count: 1...24).generate(&source)
        let workers = Int(source.draw(upTo: 15)) + 1
        let endsLate = source.draw(upTo: 1) == 1
        let retries = Int(source.draw(upTo: 3)) / 2
        return ModelSuite(
            tests: tests, workers: workers, endsLate: endsLate, retries: retries, seed: source.draw(upTo: 1 << 32))
    }

    private static let milliseconds = Generator<Int> { 1 + Int($0.draw(upTo: 3_999)) }

    private static let test = Generator<Test> { source in
        let behavior = try Generator<Behavior>.frequency([
            (6, milliseconds.map { .works($0) }), (4, milliseconds.map { .awaits($0) }), (1, .always(.fails)),
            (2, milliseconds.map { .failsAndAwaits($0) }), (2, .always(.hangs)), (1, .always(.hangsAwaiting)),
            (1, milliseconds.map { .crashes($0) }), (1, milliseconds.map { .worksOnMain($0) }),
            (1, .always(.hangsOnMain)), (1, .always(.hangsInCompany(recording: false))),
            (1, .always(.hangsInCompany(recording: true))), (1, .always(.crashesInCompany)),
        ]).generate(&source)
        let place = source.draw(upTo: 5)
        return Test(behavior: behavior, isXCTest: place == 4, isSerialized: place == 5)
    }
}

extension ModelSuite.Behavior {
    /// Returns a Boolean value that indicates whether a test may have a result, regardless of the others.
    func isOwn(_ outcome: TestResult.Outcome) -> Bool {
        switch (self, outcome) {
        case (.works, .passed), (.awaits, .passed), (.worksOnMain, .passed), (.crashesInCompany, .passed),
            (.hangsInCompany, .passed), (.fails, .failed), (.failsAndAwaits, .failed), (.crashes, .crashed),
            (.hangs, .timedOut), (.hangsAwaiting, .timedOut), (.hangsOnMain, .timedOut):
            true
        // It was the last test in its process.
        case (.hangsInCompany, .timedOut), (.crashesInCompany, .crashed): true
        default: false
        }
    }
}
