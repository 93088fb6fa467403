import Actions
import Expressions
import Git
package import LaneModel
import OperatingSystem
import Text

/// The occurrences of the package's version, and the version that they agree on.
package struct VersionOccurrences: Sendable, Equatable {
    let occurrences: [VersionOccurrence]
    /// The version, or `nil` if no file contains it.
    let version: SemanticVersion?
    /// The reasons why no version can be determined, if any.
    let problems: [String]
    /// The files that name another version than the last release, or whose version cannot be changed.
    var notes: [String] = []

    /// A file in the `files` setting of `bump`.
    package struct NamedFile: Sendable, Equatable {
        let path: String
        /// The text around the version with `{version}` as its placeholder, for unknown formats.
        let pattern: String?
        /// The expected number of occurrences. If it is set, every occurrence of the version counts.
        let count: Int?

        init(path: String, pattern: String? = nil, count: Int? = nil) {
            (self.path, self.pattern, self.count) = (path, pattern, count)
        }

        /// Returns the setting `files` with a summary.
        package static func setting(_ summary: String) -> SettingSchema {
            SettingSchema(
                "files",
                .list(
                    .either([
                        .path,
                        .object([
                            SettingSchema("path", .path, "The file", isRequired: true),
                            SettingSchema(
                                "pattern", .string,
                                "The text around the version, with {version} in place of the version"),
                            SettingSchema(
                                "count", .integer(1...10_000), "The expected number of occurrences; by default one"),
                        ]),
                    ])), summary)
        }

        /// Reads the `files` setting. Returns `nil` if it was omitted.
        static func read(_ settings: Settings) -> [NamedFile]? {
            guard case .list(let values)? = settings["files"] else { return nil }
            return values.compactMap { value in
                switch value {
                case .string(let path): return NamedFile(path: path)
                case .map(let members):
                    let settings = Settings(Value.byName(members))
                    return settings.string("path").map {
                        NamedFile(path: $0, pattern: settings.string("pattern"), count: settings.integer("count"))
                    }
                default: return nil
                }
            }
        }
    }

    /// - Parameters:
    ///   - root: The directory of the package.
    ///   - files: The files in the settings, or `nil` to search the files in git.
    ///   - last: The version of the last release. Ambiguous occurrences must be equal to it.
    ///   - lastFinal: The version of the last release that is no prerelease. Files may still name it.
    ///   - values: The values of the transaction, if any. They cache the names of the package.
    static func find(
        in root: String, files: [NamedFile]?, last: SemanticVersion?, lastFinal: SemanticVersion?, git: Git,
        values: TransactionValues?
    ) throws(OperationFailure) -> VersionOccurrences {
        let known = values?[PackageNames.self]
        var tracked: [String] = []
        if known == nil || files == nil {
            tracked = try git.run(["ls-files", "-z", "--cached", "--", "."])
                .standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
        let names = if let known { known } else { try PackageNames.find(in: root, tracked, git) }
        values?[PackageNames.self] = names
        let scanner = VersionScanner(names: names)
        if let files { return try named(files, in: root, last: last, scanner: scanner) }
        var search = VersionSearch(root: root, scanner: scanner, tracked: Set(tracked))
        for path in tracked where VersionScanner.isCandidate(path) { try search.scan(path) }
        let certain = search.found.filter(\.isCertain)
        let version = leading(certain, last) ?? last ?? onlyVersion(of: search.found.filter(\.isLikely))
        let released = [version, last, lastFinal].compactMap { $0 }
        let others = search.found.filter { found in !found.isCertain && released.contains(where: found.names) }
        let isStated = !certain.isEmpty || others.contains(where: \.isLikely)
        let stale =
            released.isEmpty
            ? []
            : search.found.filter { found in
                found.isExpected && !released.contains(where: found.names)
            }
        return VersionOccurrences(
            occurrences: distinct(certain + others), version: isStated ? version : nil, problems: disagreement(certain),
            notes: search.notes + deviations(distinct(stale), from: last ?? version))
    }

    /// Returns the version that files certainly name. The version of an app has no prerelease, so it may stand for the
    /// last release.
    private static func leading(_ certain: [VersionOccurrence], _ last: SemanticVersion?) -> SemanticVersion? {
        let exact = certain.filter { $0.form != .numbers }
        let deciding = exact.isEmpty ? certain : exact
        if let last, deciding.contains(where: { $0.names(last) }) { return last }
        return deciding.first?.version
    }

    /// Returns a note for each file that names another version.
    private static func deviations(_ stale: [VersionOccurrence], from version: SemanticVersion?) -> [String] {
        guard let version else { return [] }
        return byFile(stale).map { file, places in
            let found = places.map { "\($0.text) in line \($0.line)" }.joined(separator: ", ")
            return "\(file): expected \(version), the last version, found \(found), which 'bump' does not change; "
                + "write \(version), or name the file in 'files' of 'bump'"
        }
    }

    /// Returns sorted occurrences by their files.
    static func byFile(_ occurrences: [VersionOccurrence]) -> [(file: String, places: [VersionOccurrence])] {
        occurrences.reduce(into: []) { files, occurrence in
            if files.last?.file == occurrence.file {
                files[files.count - 1].places.append(occurrence)
            } else {
                files.append((occurrence.file, [occurrence]))
            }
        }
    }

    private static func named(
        _ files: [NamedFile], in root: String, last: SemanticVersion?, scanner: VersionScanner
    ) throws(OperationFailure) -> VersionOccurrences {
        var found: [VersionOccurrence] = []
        var problems: [String] = []
        var contents: [(NamedFile, [UInt8])] = []
        for file in files {
            guard fileKind("\(root)/\(file.path)") == .file else {
                let target = try? linkTarget("\(root)/\(file.path)")
                let isLink = target.map { "is a link\nhint: use its target '\($0)'" }
                problems.append("\(file.path): \(isLink ?? "the file does not exist")")
                continue
            }
            let bytes = try convertingFileErrors(of: readFile("\(root)/\(file.path)"))
            contents.append((file, bytes))
            found +=
                file.pattern.map { PlainVersions.matching($0, in: bytes, of: file.path) }
                ?? scanner.occurrences(in: bytes, of: file.path)
        }
        let patterned = Set(files.filter { $0.pattern != nil }.map(\.path))
        let certain = found.filter { $0.isCertain || patterned.contains($0.file) }
        let version = certain.first?.version ?? found.first?.version ?? last
        var occurrences = certain + found.filter { place in version.map(place.names) ?? false }
        for (file, bytes) in contents where file.count != nil {
            if file.pattern == nil, let version {
                occurrences += PlainVersions.equal(to: version, in: bytes, of: file.path)
            }
            problems += miscount(file, distinct(occurrences.filter { $0.file == file.path }))
        }
        for (file, bytes) in contents where file.count == nil && !occurrences.contains(where: { $0.file == file.path })
        {
            let plain = version.map { PlainVersions.equal(to: $0, in: bytes, of: file.path) } ?? []
            if file.pattern == nil { occurrences += plain }
            guard plain.isEmpty || file.pattern != nil else { continue }
            let wanted = version.map { "the version \($0)" } ?? "a version such as 1.2.3"
            let expected = file.pattern.map { "the text '\($0)'" } ?? wanted
            problems.append("\(file.path): expected \(expected), found none")
        }
        return VersionOccurrences(
            occurrences: distinct(occurrences), version: version, problems: problems + disagreement(certain))
    }

    /// Returns the occurrences sorted and without duplicates. Two names or a file that is listed twice may find the
    /// same occurrence.
    private static func distinct(_ occurrences: [VersionOccurrence]) -> [VersionOccurrence] {
        occurrences.sorted().reduce(into: []) { known, occurrence in
            if known.last?.file != occurrence.file || known.last?.range != occurrence.range { known.append(occurrence) }
        }
    }

    /// Returns the version that all occurrences agree on, if there is one.
    private static func onlyVersion(of occurrences: [VersionOccurrence]) -> SemanticVersion? {
        guard let version = occurrences.first?.version, occurrences.allSatisfy({ $0.version == version }) else {
            return nil
        }
        return version
    }

    private static func disagreement(_ occurrences: [VersionOccurrence]) -> [String] {
        guard let first = occurrences.first(where: { $0.form != .numbers }) ?? occurrences.first,
            occurrences.contains(where: { !$0.names(first.version) })
        else { return [] }
        return [
            "the files contain different versions: "
                + distinct(occurrences).map { "\($0.location) has \($0.version)" }.joined(separator: ", ")
                + "\nhint: list the right files in 'files' of 'bump'"
        ]
    }

    private static func miscount(_ file: NamedFile, _ occurrences: [VersionOccurrence]) -> [String] {
        guard let required = file.count, occurrences.count != required else { return [] }
        let lines = occurrences.map { String($0.line) }.joined(separator: ", ")
        return [
            "\(file.path): expected \(count(required, "occurrence")) of the version, found \(occurrences.count)"
                + (occurrences.isEmpty ? "" : ", in lines \(lines)")
        ]
    }
}

extension VersionOccurrence: Comparable {
    package static func < (one: VersionOccurrence, other: VersionOccurrence) -> Bool {
        (one.file, one.range.lowerBound) < (other.file, other.range.lowerBound)
    }
}

/// A location in a file that contains the package's version.
struct VersionOccurrence: Sendable, Equatable {
    /// The path relative to the package's root.
    var file: String
    /// The line number, starting at 1.
    let line: Int
    /// The range of the version in the file.
    let range: Range<Int>
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
