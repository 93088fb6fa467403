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
            try git.attempt(["merge-base", "--is-ancestor", "refs/tags/\(highest.name)", "HEAD"]).report.succeeded
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
