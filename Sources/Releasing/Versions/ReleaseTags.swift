package import LaneRun

import Processes

/// The tags that name versions, as far as a release has to know them.
package struct ReleaseTags: Sendable, Equatable {
    /// Every tag of the repository.
    package let all: Set<String>
    /// The highest version among the tags that HEAD comes from.
    package let last: ReleaseTag?
    /// The highest version among all tags.
    package let highest: ReleaseTag?
    /// What stands before the version in this repository's tags: nothing, `v`, `tracer-v`.
    package let prefix: String

    package init(all: Set<String>, reachable: [String]) {
        self.all = all
        last = reachable.compactMap { ReleaseTag($0) }.max { $0.version < $1.version }
        highest = all.sorted().compactMap { ReleaseTag($0) }.max { $0.version < $1.version }
        prefix = (last ?? highest)?.prefix ?? ""
    }

    /// Reads them. Nearly always HEAD comes from the highest version, which git tells fast; only in an older branch it has
    /// to look for those that HEAD comes from.
    package static func read(_ git: Git) throws(StepFailure) -> ReleaseTags {
        let format = "--format=%(refname:lstrip=2)"
        let all = try git.text(["for-each-ref", format, "refs/tags"]).lines
        guard let highest = all.compactMap({ ReleaseTag($0) }).max(by: { $0.version < $1.version }) else {
            return ReleaseTags(all: Set(all), reachable: [])
        }
        if try git.attempt(["merge-base", "--is-ancestor", "refs/tags/\(highest.name)", "HEAD"]).report.succeeded {
            return ReleaseTags(all: Set(all), reachable: [highest.name])
        }
        let reachable = try git.attempt(["for-each-ref", "--merged=HEAD", format, "refs/tags"])
        return ReleaseTags(all: Set(all), reachable: reachable.report.succeeded ? reachable.text.lines : [])
    }
}

/// A tag whose name ends in a version.
package struct ReleaseTag: Sendable, Equatable {
    package let name: String
    package let prefix: String
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
