package import Expressions
package import LaneModel
import Synchronization
package import Text

/// The version of a release and the name of its tag.
package struct PlannedRelease: Sendable, Equatable {
    package let version: SemanticVersion
    package let tag: String

    package init(version: SemanticVersion, tag: String) {
        self.version = version
        self.tag = tag
    }

    /// The text of the tag before the version.
    var prefix: String {
        let text = version.description
        return tag.hasSuffix(text) ? String(tag.dropLast(text.count)) : tag
    }
}

/// The releases that the steps of a run determine, and the breaks of the public API that they must permit. A step
/// determines the version of a release once, and all later steps of the run use it, even if no file names the version.
package final class PlannedReleases: Sendable {
    private let releases: Mutex<[PlannedRelease]>
    private let breaks = Mutex((count: 0, report: String?.none))
    private let proposed = Mutex(String?.none)

    package init(_ releases: [PlannedRelease] = []) {
        self.releases = Mutex(releases)
    }

    /// The releases in the order in which they were determined.
    package var all: [PlannedRelease] { releases.withLock { $0 } }

    /// The number of breaks of the public API since the last release that a step has proven.
    package var breakCount: Int { breaks.withLock(\.count) }

    /// The report on these breaks, or `nil` if no step has compared the public API.
    package var apiReport: String? { breaks.withLock(\.report) }

    /// The reason to skip the steps of a final release, or `nil` if no pull request proposes the release of this run.
    package var reasonToSkipFinalSteps: String? {
        proposed.withLock { $0 }.map { "the release is made when its pull request is merged: \($0)" }
    }

    /// Sets the web page of the pull request that proposes the release.
    package func setProposal(_ page: String) { proposed.withLock { $0 = page } }

    /// Sets the number of breaks of the public API, and the report on them.
    package func setBreaks(_ count: Int, report: String) { breaks.withLock { $0 = (count, report) } }

    /// Sets the version of a release. Replaces the release with the same tag prefix.
    package func set(_ release: PlannedRelease) {
        releases.withLock { releases in
            releases.removeAll { $0.prefix == release.prefix }
            releases.append(release)
        }
    }

    /// Sets the version that an earlier run of `bump` returned. Ignores the outputs of other actions.
    package func set(_ outputs: [String: Value], of action: ActionKind) {
        guard action == .builtIn(.bump), let version = outputs["version"]?.text.flatMap({ SemanticVersion($0) }),
            let tag = outputs["tag"]?.text
        else { return }
        set(PlannedRelease(version: version, tag: tag))
    }

    /// Returns the latest release, or the one whose tag has a given prefix.
    package func last(prefix: String?) -> PlannedRelease? {
        all.last { prefix == nil || $0.prefix == prefix }
    }
}

extension [PlannedRelease] {
    /// Creates the releases that `write(to:)` writes.
    package init(_ node: JSONNode) {
        self = (node[Self.member]?.array ?? []).compactMap { node in
            guard let version = node["version"]?.string.flatMap({ SemanticVersion($0) }), let tag = node["tag"]?.string
            else { return nil }
            return PlannedRelease(version: version, tag: tag)
        }
    }

    private static var member: String { "releases" }

    /// Writes a member of an object, unless there are no releases.
    package func write(to writer: inout JSONWriter) {
        guard !isEmpty else { return }
        writer.array(Self.member) { writer in
            for release in self {
                writer.object { writer in
                    writer.member("version", release.version.description)
                    writer.member("tag", release.tag)
                }
            }
        }
    }
}
