import Diagnostics
import Files
import LaneModel
import LaneRun
import Processes

/// Every place of a package where its version is written, and the version that they agree on.
struct VersionPlaces: Sendable, Equatable {
    let places: [VersionPlace]
    /// `nil` when no file says it.
    let version: SemanticVersion?
    /// Why the places cannot be trusted; empty when they can.
    let problems: [String]

    /// A file that the user named, with what stands around the version where it isn't one of the known forms.
    struct NamedFile: Sendable, Equatable {
        let path: String
        /// A text with `{version}` in it.
        let pattern: String?
        /// The expected number of places; if given, every mention of the version counts as one.
        let count: Int?

        init(path: String, pattern: String? = nil, count: Int? = nil) {
            (self.path, self.pattern, self.count) = (path, pattern, count)
        }

        /// Reads the `files` setting; `nil` when it was left out.
        static func read(_ settings: Settings) -> [NamedFile]? {
            guard case .list(let values)? = settings["files"] else { return nil }
            return values.compactMap { value in
                switch value {
                case .string(let path): return NamedFile(path: path)
                case .map(let members):
                    let settings = Settings(Dictionary(members.map { ($0.name, $0.value) }) { $1 })
                    return settings.string("path").map {
                        NamedFile(path: $0, pattern: settings.string("pattern"), count: settings.integer("count"))
                    }
                default: return nil
                }
            }
        }
    }

    /// - Parameters:
    ///   - root: The package's folder.
    ///   - files: What the user named; `nil` finds the places among the files that git knows.
    ///   - last: The version of the last release, which decides what to do with a place that could be anything.
    static func find(
        in root: String, files: [NamedFile]?, last: SemanticVersion?, git: Git
    ) throws(StepFailure) -> VersionPlaces {
        let tracked = try git.run(["ls-files", "-z", "--cached", "--", "."])
            .standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let scanner = VersionScanner(names: try .find(in: root, tracked, git))
        if let files { return try named(files, in: root, last: last, scanner: scanner) }
        var found: [VersionPlace] = []
        for path in tracked where VersionScanner.isCandidate(path) {
            guard fileKind("\(root)/\(path)") == .file else { continue }
            let bytes = try onFiles { () throws(FileError) in try readFile("\(root)/\(path)") }
            found += scanner.places(in: bytes, of: path)
        }
        let certain = found.filter(\.isCertain)
        let version = certain.first?.version ?? last ?? onlyVersion(of: found.filter(\.isLikely))
        let others = found.filter { !$0.isCertain && version.map($0.names) ?? false }
        let isTold = !certain.isEmpty || others.contains(where: \.isLikely)
        return VersionPlaces(
            places: distinct(certain + others), version: isTold ? version : nil, problems: disagreement(certain))
    }

    private static func named(
        _ files: [NamedFile], in root: String, last: SemanticVersion?, scanner: VersionScanner
    ) throws(StepFailure) -> VersionPlaces {
        var found: [VersionPlace] = []
        var problems: [String] = []
        var contents: [(NamedFile, [UInt8])] = []
        for file in files {
            guard fileKind("\(root)/\(file.path)") == .file else {
                let target = try? linkTarget("\(root)/\(file.path)")
                let isLink = target.map { "is a link\nhint: name '\($0)', to which it leads" }
                problems.append("\(file.path): \(isLink ?? "there is no such file")")
                continue
            }
            let bytes = try onFiles { () throws(FileError) in try readFile("\(root)/\(file.path)") }
            contents.append((file, bytes))
            found +=
                file.pattern.map { PlainVersions.matching($0, in: bytes, of: file.path) }
                ?? scanner.places(in: bytes, of: file.path)
        }
        let patterned = Set(files.filter { $0.pattern != nil }.map(\.path))
        let certain = found.filter { $0.isCertain || patterned.contains($0.file) }
        let version = certain.first?.version ?? found.first?.version ?? last
        var places = found.filter {
            $0.isCertain || patterned.contains($0.file) || (version.map($0.names) ?? false)
        }
        for (file, bytes) in contents where file.count != nil {
            if file.pattern == nil, let version { places += PlainVersions.equal(to: version, in: bytes, of: file.path) }
            problems += miscount(file, distinct(places.filter { $0.file == file.path }))
        }
        for (file, bytes) in contents where file.count == nil && !places.contains(where: { $0.file == file.path }) {
            let plain = version.map { PlainVersions.equal(to: $0, in: bytes, of: file.path) } ?? []
            let expected =
                file.pattern.map { "the text '\($0)'" } ?? version.map { "the version \($0)" }
                ?? "a version, as in 1.2.3"
            if plain.isEmpty || file.pattern != nil {
                problems.append("\(file.path): expected \(expected), found none")
            }
            places += file.pattern == nil ? plain : []
        }
        return VersionPlaces(
            places: distinct(places), version: version, problems: problems + disagreement(certain))
    }

    /// In order, and each once: one may be found by two names of the package, or in a file that was named twice.
    private static func distinct(_ places: [VersionPlace]) -> [VersionPlace] {
        places.sorted().reduce(into: []) { known, place in
            if known.last?.file != place.file || known.last?.range != place.range { known.append(place) }
        }
    }

    /// The version on which all places agree.
    private static func onlyVersion(of places: [VersionPlace]) -> SemanticVersion? {
        guard let version = places.first?.version, places.allSatisfy({ $0.version == version }) else { return nil }
        return version
    }

    private static func disagreement(_ places: [VersionPlace]) -> [String] {
        guard let first = places.first, places.contains(where: { $0.version != first.version }) else { return [] }
        return [
            "the files name different versions: "
                + distinct(places).map { "\($0.location) has \($0.version)" }.joined(separator: ", ")
                + "\nhint: name the right ones in 'files' of 'bump'"
        ]
    }

    private static func miscount(_ file: NamedFile, _ places: [VersionPlace]) -> [String] {
        guard let wanted = file.count, places.count != wanted else { return [] }
        let lines = places.map { String($0.line) }.joined(separator: ", ")
        return [
            "\(file.path): expected \(count(wanted, "place")) of the version, found \(places.count)"
                + (places.isEmpty ? "" : ", in the lines \(lines)")
        ]
    }
}

extension VersionPlace: Comparable {
    package static func < (one: VersionPlace, other: VersionPlace) -> Bool {
        (one.file, one.range.lowerBound) < (other.file, other.range.lowerBound)
    }
}
