/// The line coverage of the tests in a shard, with the thresholds for the coverage of all shards.
package struct ShardCoverage: Sendable, Equatable {
    /// The line coverage of a file.
    package struct File: Sendable, Equatable {
        /// The path relative to the package's root.
        package let path: String
        /// The number of executions of each region on a line, by the number of the line.
        package var counts: [Int: [Int]]
        /// The changed lines with code. Empty if they are not known.
        package var changed: Set<Int>

        package init(path: String, counts: [Int: [Int]], changed: Set<Int> = []) {
            self.path = path
            self.counts = counts
            self.changed = changed
        }
    }

    /// The files, sorted by path.
    package let files: [File]
    /// The minimum percentage of covered lines.
    package let threshold: Int?
    /// The minimum percentage of covered lines among the changed ones.
    package let changedThreshold: Int?
    /// The description of the commit that the changed lines differ from, or `nil` if they are not known.
    package let base: String?

    package init(files: [File], threshold: Int?, changedThreshold: Int?, base: String?) {
        self.files = files
        self.threshold = threshold
        self.changedThreshold = changedThreshold
        self.base = base
    }
}
