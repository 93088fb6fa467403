/// The relation of the next version to the last one.
package enum VersionBump: Sendable, Equatable {
    case major, minor, patch
    /// The next prerelease of a series, or the first prerelease of the next patch.
    case prerelease(String)
    /// The first prerelease of the next patch, minor or major version.
    case prepatch(String)
    case preminor(String)
    case premajor(String)
    /// The release of a prerelease.
    case release

    /// Parses a word such as `minor` or `prerelease`. A series other than `rc` follows a colon, as in
    /// `prerelease:beta`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let row = parts.count > 1 ? parts[1] : "rc"
        guard !row.isEmpty, !row.isNumeric, row.utf8.allSatisfy(SemanticVersion.isIdentifierByte) else { return nil }
        switch parts[0] {
        case "prerelease": self = .prerelease(row)
        case "prepatch": self = .prepatch(row)
        case "preminor": self = .preminor(row)
        case "premajor": self = .premajor(row)
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
        case .prepatch(let row): return SemanticVersion(major, minor, patch.next, prerelease: [row, "1"])
        case .preminor(let row): return SemanticVersion(major, minor.next, .zero, prerelease: [row, "1"])
        case .premajor(let row): return SemanticVersion(major.next, .zero, .zero, prerelease: [row, "1"])
        case .prerelease(let row):
            guard isPrerelease else { return bumped(.prepatch(row)) }
            return SemanticVersion(major, minor, patch, prerelease: nextPrerelease(of: row) ?? [row, "1"])
        }
    }

    /// Returns the next identifiers of a series in the form of the last ones: `rc.2` after `rc.1`, and `RC2` after `RC1`.
    /// Returns `nil` after another series.
    private func nextPrerelease(of row: String) -> [String]? {
        let (label, number): (Substring, Substring)
        switch prerelease.count {
        case 2: (label, number) = (prerelease[0][...], prerelease[1][...])
        case 1:
            let digits = prerelease[0].utf8.reversed().prefix(while: \.isDigit).count
            (label, number) = (prerelease[0].dropLast(digits), prerelease[0].suffix(digits))
        default: return nil
        }
        guard let next = VersionNumber(String(number))?.next,
            [row, "\(row)-"].contains(label.lowercased()) || label == row
        else { return nil }
        return prerelease.count == 2 ? [String(label), "\(next)"] : ["\(label)\(next)"]
    }

    private var release: SemanticVersion { SemanticVersion(major, minor, patch) }
}
