package import Bisection
package import Files

/// The directory `.lane/bisect` with the state of a bisection and the output at each commit.
package struct BisectionDirectory: Sendable {
    package let path: String
    private var state: String { "\(path)/state.json" }

    /// Creates the directory's path for a package. Does not create the directory.
    package init(root: String) { path = "\(root)/.lane/bisect" }

    /// Creates the directory, and removes the files of an earlier bisection.
    package func begin() throws(FileError) {
        try removeTree(path)
        try makeDirectories(path)
    }

    /// Returns the state of an unfinished bisection, or `nil` if there is none.
    package func read() -> BisectionRecord? { (try? readText(state)).flatMap { BisectionRecord(json: $0) } }

    /// Writes the state atomically.
    package func save(_ record: BisectionRecord) throws(FileError) {
        try makeDirectories(path)
        try writeFile(record.json, to: state)
    }

    /// Removes the state of a finished bisection. The output remains.
    package func end() throws(FileError) { try removeTree(state) }
}
