package import LaneEvents
import Text

/// The first file of a queue, which describes its batches.
package struct QueueHeader: Sendable, Equatable {
    /// The number of batches.
    package let batches: Int
    /// The number of tests in all batches.
    package let total: Int
    /// A hash of the names of the tests.
    package let digest: String

    private static let mark = "lane test queue 1"

    init(batches: Int, total: Int, digest: String) {
        (self.batches, self.total, self.digest) = (batches, total, digest)
    }

    init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard lines.count == 4, lines[0] == Self.mark, let batches = Int(lines[1]), let total = Int(lines[2]) else {
            return nil
        }
        self.init(batches: batches, total: total, digest: String(lines[3]))
    }

    var text: String { "\(Self.mark)\n\(batches)\n\(total)\n\(digest)\n" }

    /// Returns a hash of tests that does not depend on their order.
    static func digest(of tests: [TestID]) -> String {
        String(tests.reduce(0) { $0 &+ StableHash(of: "\($1.library.rawValue) \($1)").value }, radix: 36)
    }

    /// Returns the description of a batch for events.
    package func shard(_ number: Int) -> TestShard {
        TestShard(index: number, count: batches, total: total, digest: digest)
    }
}

/// The file of a batch: a line for each test, with its fields separated by a control character.
enum BatchText {
    private static let separator = "\u{1F}"

    static func text(of tests: [TestID]) -> String {
        tests.map { test in
            [test.library.rawValue, test.module, test.suite, test.name].joined(separator: separator) + "\n"
        }.joined()
    }

    static func tests(in text: String) -> Set<TestID> {
        Set(
            text.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 4, let library = TestLibrary(rawValue: fields[0]) else { return nil }
                return TestID(library: library, module: fields[1], suite: fields[2], name: fields[3])
            })
    }
}
