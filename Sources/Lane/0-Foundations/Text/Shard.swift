/// One of several parts of a run that is distributed over several machines, such as the second of four.
package struct Shard: Sendable, Equatable {
    /// The number of the shard, from 1 to `count`.
    package let index: Int
    package let count: Int

    /// Creates a shard. Returns `nil` unless `1 ≤ index ≤ count`.
    package init?(_ index: Int, of count: Int) {
        guard index >= 1, index <= count else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Parses `2/4`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index, of: count)
    }
}
