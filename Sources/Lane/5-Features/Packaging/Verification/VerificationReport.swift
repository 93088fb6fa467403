import Text

/// The result of a verification: one row for each kind of check.
package struct VerificationReport: Sendable {
    /// The result of one kind of check.
    package struct Row: Sendable {
        /// The subject in one word: `checksums`, `signature`.
        package let title: String
        /// A description of what was verified, or `none` if there is nothing to verify.
        package internal(set) var detail = "none"
        /// A Boolean value that indicates whether there is something to verify.
        package internal(set) var isPresent = false
        /// The problems, each with a sentence and perhaps a hint on a second line.
        package internal(set) var problems: [String] = []

        init(_ title: String) {
            self.title = title
        }

        mutating func pass(_ detail: String) {
            (self.detail, isPresent) = (detail, true)
        }
    }

    package internal(set) var rows: [Row] = []
    /// The number of verified files.
    package internal(set) var fileCount = 0
    /// The provenance of the files.
    package internal(set) var statements: [ProvenanceStatement] = []

    package mutating func add(_ row: Row) { rows.append(row) }

    package var problems: [String] { rows.flatMap(\.problems) }
}
