/// The requested version: an exact version, a bump, or the version that the commits require.
package enum VersionRequest: Sendable, Equatable {
    case exact(SemanticVersion)
    case bump(VersionBump)
    /// The version that the commits require: the word `auto`, or no text.
    case fromCommits

    private static let words = [
        "major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease", "release", "auto",
    ]

    /// Parses a request. Returns `nil` for invalid text.
    package init?(_ text: String?) {
        guard let text, !text.isEmpty, text != "auto" else {
            self = .fromCommits
            return
        }
        if let version = SemanticVersion(text) {
            self = .exact(version)
        } else if let bump = VersionBump(text) {
            self = .bump(bump)
        } else {
            return nil
        }
    }

    /// Returns the message for an invalid text.
    package static func errorMessage(for text: String) -> String {
        let message =
            "'\(text)' is not a version: expected three numbers such as 1.2.3, or \(list(words))"
        return message + (hint(for: text).map { "\nhint: \($0)" } ?? "")
    }

    /// Returns a suggestion for an invalid text, or `nil` if there is none.
    package static func hint(for text: String) -> String? {
        let plain = String(text.drop { $0 == "v" || $0 == "V" })
        if plain != text, SemanticVersion(plain) != nil { return "remove the 'v': \(plain)" }
        if SemanticVersion(text + ".0") != nil { return "write \(text).0" }
        return suggestion(for: text, among: words)
    }
}

/// The relation of the next version to the last one.
package enum VersionBump: Sendable, Equatable {
    case major, minor, patch
    /// The next prerelease of a series, or the first prerelease of the next patch.
    case prerelease(_ series: String)
    /// The first prerelease of the next patch, minor or major version.
    case prepatch(_ series: String)
    case preminor(_ series: String)
    case premajor(_ series: String)
    /// The release of a prerelease.
    case release

    /// Parses a word such as `minor` or `prerelease`. A series other than `rc` follows a colon, as in
    /// `prerelease:beta`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let series = parts.count > 1 ? parts[1] : "rc"
        guard !series.isEmpty, !series.isNumeric, series.utf8.allSatisfy(SemanticVersion.isIdentifierByte) else {
            return nil
        }
        switch parts[0] {
        case "prerelease": self = .prerelease(series)
        case "prepatch": self = .prepatch(series)
        case "preminor": self = .preminor(series)
        case "premajor": self = .premajor(series)
        case "major" where parts.count == 1: self = .major
        case "minor" where parts.count == 1: self = .minor
        case "patch" where parts.count == 1: self = .patch
        case "release" where parts.count == 1: self = .release
        default: return nil
        }
    }
}

extension SemanticVersion {
    /// Returns the next version. A prerelease of the same kind becomes its release: `minor` after 1.3.0-rc.1 is 1.3.0.
    package func bumped(_ bump: VersionBump) -> SemanticVersion {
        switch bump {
        case .major:
            if isPrerelease, minor == .zero, patch == .zero { return release }
            return SemanticVersion(major.next, .zero, .zero)
        case .minor:
            if isPrerelease, patch == .zero { return release }
            return SemanticVersion(major, minor.next, .zero)
        case .patch: return isPrerelease ? release : SemanticVersion(major, minor, patch.next)
        case .release: return release
        case .prepatch(let series): return SemanticVersion(major, minor, patch.next, prerelease: [series, "1"])
        case .preminor(let series): return SemanticVersion(major, minor.next, .zero, prerelease: [series, "1"])
        case .premajor(let series): return SemanticVersion(major.next, .zero, .zero, prerelease: [series, "1"])
        case .prerelease(let series):
            guard isPrerelease else { return bumped(.prepatch(series)) }
            return SemanticVersion(major, minor, patch, prerelease: nextPrerelease(of: series) ?? [series, "1"])
        }
    }

    /// Returns the next identifiers of a series in the form of the last ones: `rc.2` after `rc.1`, and `RC2` after `RC1`.
    /// Returns `nil` after another series.
    private func nextPrerelease(of series: String) -> [String]? {
        let (label, number): (Substring, Substring)
        switch prerelease.count {
        case 2: (label, number) = (prerelease[0][...], prerelease[1][...])
        case 1:
            let digits = prerelease[0].utf8.reversed().prefix(while: \.isDigit).count
            (label, number) = (prerelease[0].dropLast(digits), prerelease[0].suffix(digits))
        default: return nil
        }
        guard let next = VersionNumber(String(number))?.next,
            [series, "\(series)-"].contains(label.lowercased()) || label == series
        else { return nil }
        return prerelease.count == 2 ? [String(label), "\(next)"] : ["\(label)\(next)"]
    }

    private var release: SemanticVersion { SemanticVersion(major, minor, patch) }
}
