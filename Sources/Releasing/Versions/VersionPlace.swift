/// One place in a file where the package's version is written.
struct VersionPlace: Sendable, Equatable {
    /// Relative to the package's root.
    let file: String
    /// From 1.
    let line: Int
    /// The version's bytes in the file.
    let range: Range<Int>
    let version: SemanticVersion
    let certainty: Certainty

    /// How sure it is that the package's own version is meant.
    enum Certainty: Sendable, Equatable {
        /// It counts when it is the version that the package has.
        case possible
        /// It says what the package's version is where nothing else does.
        case likely
        /// It must be the package's version.
        case certain
    }

    var isCertain: Bool { certainty == .certain }
    var isLikely: Bool { certainty == .likely }

    /// `Sources/Tracer/TracerVersion.swift:4`
    var location: String { "\(file):\(line)" }
}
