/// One place in a file where the package's version is written.
struct VersionPlace: Sendable, Equatable {
    /// Relative to the package's root.
    let file: String
    /// From 1.
    let line: Int
    /// The bytes of the version in the file.
    let range: Range<Int>
    /// The text there.
    let text: String
    let version: SemanticVersion
    let certainty: Certainty
    var form = Form.plain

    /// The certainty that the package's own version is meant.
    enum Certainty: Sendable, Equatable {
        /// It counts when it is the version that the package has.
        case possible
        /// It says what the package's version is where nothing else does.
        case likely
        /// It must be the package's version.
        case certain
    }

    /// The form in which a version is written.
    enum Form: Sendable, Equatable {
        case plain
        /// `1.2`, for any patch of it.
        case majorMinor
        /// With doubled hyphens, as in the addresses of badges.
        case badge
        /// The first version that a range does not have any more: as far from its first one as before.
        case upperBound(VersionBump)

        func version(in text: String) -> SemanticVersion? {
            switch self {
            case .plain, .upperBound: SemanticVersion(text)
            case .majorMinor: SemanticVersion(text + ".0")
            case .badge: SemanticVersion(text.replacing("--", with: "-"))
            }
        }

        func text(of version: SemanticVersion) -> String {
            switch self {
            case .plain: version.description
            case .badge: version.description.replacing("-", with: "--")
            case .majorMinor: "\(version.major).\(version.minor)"
            case .upperBound(let bump):
                SemanticVersion(version.major, version.minor, version.patch).bumped(bump).description
            }
        }
    }

    /// A Boolean value that indicates whether it names this version, in its form.
    func names(_ version: SemanticVersion) -> Bool {
        switch form {
        case .plain, .badge: self.version == version
        case .majorMinor, .upperBound: form.text(of: version) == text
        }
    }

    /// The text for another version; `nil` where that stands there already.
    func replacement(for version: SemanticVersion) -> String? {
        let wanted = form.text(of: version)
        return wanted == text ? nil : wanted
    }

    var isCertain: Bool { certainty == .certain }
    var isLikely: Bool { certainty == .likely }

    /// `Sources/Tracer/TracerVersion.swift:4`
    var location: String { "\(file):\(line)" }
}
