import Text

/// A location in a file that contains the package's version.
struct VersionOccurrence: Sendable, Equatable {
    /// The path relative to the package's root.
    let file: String
    /// The line number, starting at 1.
    let line: Int
    /// The range of the version in the file.
    let range: Range<Int>
    /// The text of the version.
    let text: String
    let version: SemanticVersion
    let certainty: Certainty
    var form = Form.plain

    /// The certainty that the text is the package's version.
    enum Certainty: Sendable, Equatable {
        /// The text counts if it is equal to the package's version. Other versions are normal, for example in a
        /// requirement.
        case possible
        /// The text counts if it is equal to the package's version. Another version is reported.
        case expected
        /// The text determines the package's version if no other does.
        case likely
        /// The text is the package's version.
        case certain
    }

    /// The notation of a version.
    enum Form: Sendable, Equatable {
        case plain
        /// The notation `1.2` for all patch versions.
        case majorMinor
        /// The version after `~>`, which does not match prereleases.
        case compatible
        /// The version of an app: three numbers, because the App Store rejects prereleases.
        case numbers
        /// A version in the URL of a badge, with doubled hyphens.
        case badge
        /// The upper bound of a range that keeps its width.
        case upperBound(VersionBump)

        func version(in text: String) -> SemanticVersion? {
            switch self {
            case .plain, .compatible, .upperBound: SemanticVersion(text)
            case .numbers: SemanticVersion(text) ?? SemanticVersion(text + ".0")
            case .majorMinor: SemanticVersion(text + ".0")
            case .badge: SemanticVersion(text.replacing("--", with: "-"))
            }
        }

        func text(of version: SemanticVersion) -> String {
            switch self {
            case .plain, .compatible: version.description
            case .numbers: version.bumped(.release).description
            case .badge: version.description.replacing("-", with: "--")
            case .majorMinor: "\(version.major).\(version.minor)"
            case .upperBound(let bump):
                SemanticVersion(version.major, version.minor, version.patch).bumped(bump).description
            }
        }
    }

    /// Returns a Boolean value that indicates whether the text is a version in this notation.
    func names(_ version: SemanticVersion) -> Bool {
        switch form {
        case .plain, .compatible, .badge: self.version == version
        case .numbers: self.version == version || self.version == version.bumped(.release)
        case .majorMinor, .upperBound: form.text(of: version) == text
        }
    }

    /// Returns the text for another version, or `nil` if it is unchanged.
    func replacement(for version: SemanticVersion) -> String? {
        if version.isPrerelease, form == .majorMinor || form == .compatible { return nil }
        let required = form.text(of: version)
        return required == text ? nil : required
    }

    var isCertain: Bool { certainty == .certain }
    var isLikely: Bool { certainty == .likely }

    /// A Boolean value that indicates whether another version than that of the package is unexpected.
    var isExpected: Bool { certainty == .likely || certainty == .expected }

    /// The location such as `Sources/Tracer/TracerVersion.swift:4`.
    var location: String { "\(file):\(line)" }
}
