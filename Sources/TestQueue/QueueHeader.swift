package import LaneEvents
import Text

/// The first file of a queue, which contains its batches.
package struct QueueHeader: Sendable, Equatable {
    /// The tests of the batches, of which the first has the number 1.
    package let batches: [[TestID]]
    /// A hash of the names of the tests.
    package let digest: String

    private static let mark = "lane test queue 2"
    /// The separator of a test's fields.
    private static let separator: Character = "\u{1F}"

    /// The number of tests in all batches.
    package var total: Int { batches.reduce(0) { $0 + $1.count } }

    init(batches: [[TestID]], digest: String) {
        (self.batches, self.digest) = (batches, digest)
    }

    /// Decodes a text that is complete and not damaged.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.mark, lines[2] == Self.hash(of: String(lines[3])) else { return nil }
        var batches: [[TestID]] = []
        for batch in lines[3].parts(separatedBy: "\n\n") where !batch.isEmpty {
            var tests: [TestID] = []
            for line in batch.split(separator: "\n") {
                let fields = line.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 4, let library = TestLibrary(rawValue: fields[0]) else { return nil }
                tests.append(TestID(library: library, module: fields[1], suite: fields[2], name: fields[3]))
            }
            batches.append(tests)
        }
        self.init(batches: batches, digest: String(lines[1]))
    }

    /// The lines of the tests, with an empty line after each batch.
    package var text: String {
        let body = batches.map { batch in
            batch.map { test in
                [test.library.rawValue, test.module, test.suite, test.name].joined(separator: String(Self.separator))
                    + "\n"
            }.joined() + "\n"
        }.joined()
        return "\(Self.mark)\n\(digest)\n\(Self.hash(of: body))\n\(body)"
    }

    private static func hash(of text: String) -> String { String(StableHash(of: text).value, radix: 36) }

    /// Returns a hash of tests that does not depend on their order.
    static func digest(of tests: [TestID]) -> String {
        String(tests.reduce(0) { $0 &+ StableHash(of: "\($1.library.rawValue) \($1)").value }, radix: 36)
    }
}
