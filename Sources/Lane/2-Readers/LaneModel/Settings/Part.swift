/// One of several equal parts, such as the second of four.
package struct Part: Sendable, Equatable {
    /// The number of the part, from 1 to `count`.
    package let index: Int
    package let count: Int

    /// Parses `2/4`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], index >= 1, index <= count else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }
}
