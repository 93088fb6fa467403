/// A version according to Semantic Versioning 2.0.0. Its numbers are stored as digits, because they have no upper
/// bound.
package struct SemanticVersion: Sendable, CustomStringConvertible {
    /// The number that breaking changes increment.
    package let major: VersionNumber
    /// The number that features increment.
    package let minor: VersionNumber
    /// The number that fixes increment.
    package let patch: VersionNumber
    /// The identifiers after `-`. Empty for a release.
    package let prerelease: [String]
    /// The identifiers after `+`, which comparisons ignore.
    package let build: [String]

    package init(
        _ major: VersionNumber, _ minor: VersionNumber, _ patch: VersionNumber, prerelease: [String] = [],
        build: [String] = []
    ) {
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build
    }

    /// Parses a text, which must not contain `v`, whitespace or leading zeros.
    package init?(_ text: some StringProtocol) {
        var rest = text.utf8[...]
        var build: [String] = []
        var prerelease: [String] = []
        if let plus = rest.firstIndex(of: UInt8(ascii: "+")) {
            guard let identifiers = Self.identifiers(rest[rest.index(after: plus)...]) else { return nil }
            build = identifiers
            rest = rest[..<plus]
        }
        if let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
            guard let identifiers = Self.identifiers(rest[rest.index(after: hyphen)...]) else { return nil }
            guard identifiers.allSatisfy({ !$0.isNumeric || VersionNumber($0) != nil }) else { return nil }
            prerelease = identifiers
            rest = rest[..<hyphen]
        }
        let numbers = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { VersionNumber(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else {
            return nil
        }
        self.init(major, minor, patch, prerelease: prerelease, build: build)
    }

    package var isPrerelease: Bool { !prerelease.isEmpty }

    /// A Boolean value that indicates whether the version is below 1.0.0. Breaking changes then increment only the
    /// minor number.
    package var isInitialDevelopment: Bool { major == .zero }

    /// The version as text.
    package var description: String {
        "\(major).\(minor).\(patch)" + (prerelease.isEmpty ? "" : "-" + prerelease.joined(separator: "."))
            + (build.isEmpty ? "" : "+" + build.joined(separator: "."))
    }

    private static func identifiers(_ text: some Sequence<UInt8>) -> [String]? {
        let parts = Array(text).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isIdentifierByte) }) else { return nil }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a Boolean value that indicates whether a byte is an ASCII letter, digit or `-`.
    package static func isIdentifierByte(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte == UInt8(ascii: "-") }
}

extension SemanticVersion: Comparable {
    /// Compares the precedence as in section 11 of the specification.
    package static func < (one: SemanticVersion, other: SemanticVersion) -> Bool {
        let (left, right) = ([one.major, one.minor, one.patch], [other.major, other.minor, other.patch])
        if left != right { return left.lexicographicallyPrecedes(right) }
        switch (one.prerelease.isEmpty, other.prerelease.isEmpty) {
        case (true, _): return false
        case (false, true): return true
        case (false, false): break
        }
        for (left, right) in zip(one.prerelease, other.prerelease) where left != right {
            switch (VersionNumber(left), VersionNumber(right)) {
            case (let left?, let right?): return left < right
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        }
        return one.prerelease.count < other.prerelease.count
    }

    /// Compares the precedence, which ignores build metadata.
    package static func == (one: SemanticVersion, other: SemanticVersion) -> Bool {
        one.major == other.major && one.minor == other.minor && one.patch == other.patch
            && one.prerelease == other.prerelease
    }
}

/// A number of any length without leading zeros.
package struct VersionNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The digits.
    package let description: String

    /// The number 0, to which an increment of a more significant number resets this number.
    package static let zero = VersionNumber(unchecked: "0")

    init?(_ text: String) {
        guard text.isNumeric, text == "0" || !text.hasPrefix("0") else { return nil }
        description = text
    }

    private init(unchecked digits: String) {
        description = digits
    }

    var next: VersionNumber {
        var digits = Array(description.utf8)
        var index = digits.count - 1
        while index >= 0, digits[index] == UInt8(ascii: "9") {
            digits[index] = UInt8(ascii: "0")
            index -= 1
        }
        if index >= 0 { digits[index] += 1 } else { digits.insert(UInt8(ascii: "1"), at: 0) }
        return VersionNumber(unchecked: String(decoding: digits, as: UTF8.self))
    }

    package static func < (one: VersionNumber, other: VersionNumber) -> Bool {
        let (left, right) = (one.description.utf8, other.description.utf8)
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}

extension String {
    /// A Boolean value that indicates whether the text consists of ASCII digits and is not empty.
    var isNumeric: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}
