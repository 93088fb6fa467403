import Git
import OperatingSystem
package import Text

/// The version tags of a repository.
package struct ReleaseTags: Sendable, Equatable {
    /// The names of all tags.
    let all: Set<String>
    /// The tags of the package.
    private let own: [ReleaseTag]
    /// The highest version among the tags that are ancestors of HEAD.
    package let last: ReleaseTag?
    /// The highest final version among the tags that are ancestors of HEAD.
    package let lastFinal: ReleaseTag?
    /// The highest version among all tags of the package.
    package let highest: ReleaseTag?
    /// The text before the version in the package's tags: empty, `v`, `tracer-v`.
    package let prefix: String
    /// The reason why the package's tags are ambiguous, if they are.
    package let problem: String?

    /// Creates the tags of a package.
    ///
    /// - Parameters:
    ///   - all: The names of all tags of the repository.
    ///   - reachable: The names of the tags that are ancestors of HEAD.
    ///   - own: The tags of the package.
    init(all: Set<String>, reachable: [String], own: PackageTags) {
        let reachable = Set(reachable)
        self.all = all
        self.own = own.tags
        let past = own.tags.filter { reachable.contains($0.name) }
        last = past.max { $0.version < $1.version }
        lastFinal = past.filter { !$0.version.isPrerelease }.max { $0.version < $1.version }
        highest = own.tags.max { $0.version < $1.version }
        prefix = (last ?? highest)?.prefix ?? own.firstPrefix
        problem = own.problem
    }

    /// Returns the name of the tag for a version, which may have another form: `2.12` and `v2.12.0` are the tags of one
    /// version.
    func existing(_ version: SemanticVersion) -> String? {
        let tag = prefix + version.description
        return all.contains(tag) ? tag : own.first { $0.version == version }?.name
    }

    /// The last tag that resembles a version but is none, such as `2024.01.15` or `1.2.3.4`.
    var similar: String? {
        all.filter { name in
            let digits = (name.hasPrefix("v") ? name.dropFirst() : name[...]).first?.isNumber ?? false
            return digits && name.contains(".") && ReleaseTag(name) == nil
        }.max()
    }

    /// Reads the tags. First checks whether the highest version is an ancestor of HEAD, which is fast. Only older
    /// branches need a search.
    static func read(_ git: Git, of package: TaggedPackage) throws(OperationFailure) -> ReleaseTags {
        let format = "--format=%(refname:lstrip=2)"
        let all = try git.text(["for-each-ref", format, "refs/tags"]).lines
        let own = PackageTags(all.compactMap { ReleaseTag($0) }, of: package)
        guard let highest = own.tags.max(by: { $0.version < $1.version }) else {
            return ReleaseTags(all: Set(all), reachable: [], own: own)
        }
        if !highest.version.isPrerelease,
            try git.isAncestor("refs/tags/\(highest.name)", of: "HEAD")
        {
            return ReleaseTags(all: Set(all), reachable: [highest.name], own: own)
        }
        let reachable = try git.attempt(["for-each-ref", "--merged=HEAD", format, "refs/tags"])
        return ReleaseTags(all: Set(all), reachable: reachable.report.succeeded ? reachable.text.lines : [], own: own)
    }
}

/// A tag whose name ends with a version.
package struct ReleaseTag: Sendable, Equatable {
    /// The name without `refs/tags/`.
    package let name: String
    /// The text before the version.
    package let prefix: String
    /// The version at the end of the name.
    package let version: SemanticVersion

    /// A Boolean value that indicates whether the tag names only the major and minor number, such as `v1.2`, or only
    /// the major one.
    let isPartial: Bool

    package init?(_ name: String) {
        let starts = name.indices.filter { start in
            let before = name[..<start].last
            return name[start].isASCII && name[start].isNumber && before.map({ !$0.isNumber && $0 != "." }) ?? true
        }
        // The version starts at the first digit after which the rest is a version: `swift5-v1.2.3` has two candidates.
        for start in starts {
            guard let version = SemanticVersion(name[start...]) else { continue }
            (self.name, prefix, self.version, isPartial) = (name, String(name[..<start]), version, false)
            return
        }
        for start in starts {
            guard let version = Self.partial(name[start...], after: name[..<start]) else { continue }
            (self.name, prefix, self.version, isPartial) = (name, String(name[..<start]), version, true)
            return
        }
        return nil
    }

    /// Returns the version of `1.2` and `1.2-rc.1`, which Swift Package Manager reads as 1.2.0 and 1.2.0-rc.1, or of `1`
    /// after `v`.
    private static func partial(_ text: Substring, after prefix: Substring) -> SemanticVersion? {
        let numbers = text.prefix(ofBytes: { $0.isDigit || $0 == UInt8(ascii: ".") })
        let rest = text[numbers.endIndex...]
        switch numbers.utf8.count(where: { $0 == UInt8(ascii: ".") }) {
        case 0: return rest.isEmpty && prefix.lowercased() == "v" ? SemanticVersion("\(numbers).0.0") : nil
        case 1: return SemanticVersion("\(numbers).0\(rest)")
        default: return nil
        }
    }
}

/// The version tags of one package among those of its repository.
///
/// The tags of the first of these groups that is not empty belong to the package:
///
/// 1. Tags with the package's name or directory before the version, such as `shape-1.2.3` or `shape/v1.2.3`.
/// 2. Tags that consist of a version with or without `v`, unless the package is inside another package. For a package
///    at the root, these belong to it in any case, because projects change the form of their tags.
/// 3. All tags that do not name another directory.
package struct PackageTags {
    /// The tags of the package.
    package let tags: [ReleaseTag]
    /// The prefix for the first tag of a package without tags. It has the form of the latest tag of another package.
    let firstPrefix: String
    /// The reason why the tags are ambiguous, if they are.
    let problem: String?

    /// Selects the tags of a package.
    package init(_ all: [ReleaseTag], of package: TaggedPackage) {
        if let prefix = package.prefix {
            self.init(tags: all.filter { $0.prefix == prefix }, firstPrefix: prefix)
            return
        }
        // `swift-5.9` and `ubuntu-22.4` name something else.
        let all = all.filter { tag in
            !tag.isPartial || tag.subject.isEmpty || package.names.contains(tag.subject.lowercased())
        }
        let subjects = Set(all.map(\.subject))
        var own = subjects.filter { package.names.contains($0.lowercased()) }
        if own.isEmpty && !package.isBelowAnother || package.subdirectory.isEmpty {
            own.formUnion(subjects.intersection([""]))
        }
        if own.isEmpty {
            own = subjects.filter { !package.belongsToOtherDirectory($0) }
            guard own.count < 2 else {
                let problem = Self.ambiguity(of: all.filter { own.contains($0.subject) })
                self.init(tags: [], firstPrefix: "", problem: problem)
                return
            }
        }
        let latest = all.max { $0.version < $1.version }
        self.init(
            tags: all.filter { own.contains($0.subject) },
            firstPrefix: own.isEmpty
                ? latest.map { $0.prefix(for: package.subdirectory) } ?? package.firstPrefix : "")
    }

    private init(tags: [ReleaseTag], firstPrefix: String, problem: String? = nil) {
        (self.tags, self.firstPrefix, self.problem) = (tags, firstPrefix, problem)
    }

    private static func ambiguity(of tags: [ReleaseTag]) -> String {
        let names = Dictionary(grouping: tags, by: \.subject).values.compactMap { $0.max { $0.version < $1.version } }
            .map { "'\($0.name)'" }.sorted()
        return "the tags \(names[0]) and \(names[1]) name versions of different things\n"
            + "hint: set the prefix of this package's tags in 'env', for example \(TaggedPackage.prefixVariable): \(tags[0].prefix)"
    }
}

extension ReleaseTag {
    /// The name in the tag: `shape` in `shape-v1.2.3`, empty in `v1.2.3`.
    package var subject: String { String(prefix.dropLast(form.utf8.count)) }

    /// The text between the name and the version: `-v`, `/`.
    private var form: String {
        let separators = "/-_@. "
        var rest = prefix[...]
        if let last = rest.last, last == "v" || last == "V", rest.dropLast().last.map(separators.contains) ?? true {
            rest.removeLast()
        }
        while let last = rest.last, separators.contains(last) { rest.removeLast() }
        return String(prefix[rest.endIndex...])
    }

    /// Returns the prefix in the same form for a package in `directory`, or an empty string for the root.
    fileprivate func prefix(for directory: String) -> String {
        guard !directory.isEmpty else { return "" }
        let name = subject.contains("/") ? directory : lastPathComponent(directory)
        return name + (subject.isEmpty ? "-" : "") + form
    }
}

/// A branch for patches of an older version: `1.2.x`, `release/1.2`, `v1`, `support-1.x`.
enum ReleaseLine {
    /// Returns a Boolean value that indicates whether the name of a branch contains the major number of a version, and
    /// no other minor number than that of the version.
    static func names(_ version: SemanticVersion, in branch: String) -> Bool {
        let words = branch.utf8.split { "/-_ ".utf8.contains($0) }.map { String(Substring($0)) }
        return words.contains { word in
            let text = word.lowercased().hasPrefix("v") ? Substring(word.dropFirst()) : Substring(word)
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let required = [version.major.description, version.minor.description]
            guard parts.first.map(String.init) == required[0] else { return false }
            guard parts.count > 1, !["x", "*"].contains(parts[1].lowercased()) else {
                return parts.count > 1 || text != word
            }
            return parts[1] == required[1]
        }
    }
}
