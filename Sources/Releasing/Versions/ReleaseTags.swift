import LaneRun

import Processes

/// The tags that name versions, as far as a release has to know them.
package struct ReleaseTags: Sendable, Equatable {
    /// Every tag of the repository.
    let all: Set<String>
    /// The highest version among the tags that HEAD comes from.
    package let last: ReleaseTag?
    /// The same without prereleases.
    package let lastFinal: ReleaseTag?
    /// The highest version among all of the package's tags.
    package let highest: ReleaseTag?
    /// What stands before the version in the package's tags: nothing, `v`, `tracer-v`.
    package let prefix: String
    /// Why the package's tags cannot be told from others.
    package let problem: String?

    package init(all: Set<String>, reachable: [String], of package: TaggedPackage = TaggedPackage()) {
        let own = OwnTags(all.sorted().compactMap { ReleaseTag($0) }, of: package)
        self.init(all: all, reachable: reachable, own)
    }

    private init(all: Set<String>, reachable: [String], _ own: OwnTags) {
        let reachable = Set(reachable)
        self.all = all
        let past = own.tags.filter { reachable.contains($0.name) }
        last = past.max { $0.version < $1.version }
        lastFinal = past.filter { !$0.version.isPrerelease }.max { $0.version < $1.version }
        highest = own.tags.max { $0.version < $1.version }
        prefix = (last ?? highest)?.prefix ?? own.firstPrefix
        problem = own.problem
    }

    /// Reads them. Nearly always HEAD comes from the highest version, which git tells fast; only in an older branch it has
    /// to look for those that HEAD comes from.
    static func read(_ git: Git, of package: TaggedPackage) throws(StepFailure) -> ReleaseTags {
        let format = "--format=%(refname:lstrip=2)"
        let all = try git.text(["for-each-ref", format, "refs/tags"]).lines
        let own = OwnTags(all.compactMap { ReleaseTag($0) }, of: package)
        guard let highest = own.tags.max(by: { $0.version < $1.version }) else {
            return ReleaseTags(all: Set(all), reachable: [], own)
        }
        if !highest.version.isPrerelease,
            try git.attempt(["merge-base", "--is-ancestor", "refs/tags/\(highest.name)", "HEAD"]).report.succeeded
        {
            return ReleaseTags(all: Set(all), reachable: [highest.name], own)
        }
        let reachable = try git.attempt(["for-each-ref", "--merged=HEAD", format, "refs/tags"])
        return ReleaseTags(all: Set(all), reachable: reachable.report.succeeded ? reachable.text.lines : [], own)
    }
}

/// A tag whose name ends in a version.
package struct ReleaseTag: Sendable, Equatable {
    /// Below `refs/tags/`.
    package let name: String
    /// What stands before the version.
    package let prefix: String
    /// That in which the name ends.
    package let version: SemanticVersion

    package init?(_ name: String) {
        // The version begins at the first digit from which the rest is one: `swift5-v1.2.3` has two candidates.
        for start in name.indices where name[start].isASCII && name[start].isNumber {
            let before = name[..<start].last
            guard before.map({ !$0.isNumber && $0 != "." }) ?? true else { continue }
            guard let version = SemanticVersion(name[start...]) else { continue }
            self.name = name
            prefix = String(name[..<start])
            self.version = version
            return
        }
        return nil
    }
}
