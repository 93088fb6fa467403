import Testing
import Text

@testable import Versioning

@Suite struct ReleaseTagsTests {
    @Test(
        arguments: [
            ("1.2.3", "", "1.2.3"), ("v1.2.3-rc.1", "v", "1.2.3-rc.1"), ("tracer-v1.2.3", "tracer-v", "1.2.3"),
            ("swift5-1.0.0", "swift5-", "1.0.0"), ("v1.2", "v", "1.2.0"), ("2.13", "", "2.13.0"),
            ("1.2-rc.1", "", "1.2.0-rc.1"), ("v1", "v", "1.0.0"), ("1", nil, nil),
            ("swift5.9-v1.2.3", "swift5.9-v", "1.2.3"),
            ("22.04", nil, nil), ("build-7", nil, nil), ("release", nil, nil), ("v01.2.3", nil, nil),
            ("1.2.3.4", nil, nil),
        ] as [(String, String?, String?)])
    func tags(name: String, prefix: String?, version: String?) {
        let tag = ReleaseTag(name)
        #expect(tag?.prefix == prefix)
        #expect(tag?.version.description == version)
    }

    @Test func theLastReleaseIsTheHighestReachable() {
        let tags = ReleaseTags(
            all: ["v1.9.0", "v1.10.0", "v2.0.0", "nightly"], reachable: ["v1.9.0", "v1.10.0", "nightly"])
        #expect(tags.last?.name == "v1.10.0")
        #expect(tags.prefix == "v")
        #expect(ReleaseTags(all: [], reachable: []).last == nil)
    }

    /// Swift Package Manager reads 2.13 as 2.13.0.
    @Test(
        arguments: [
            (["2.11.3", "2.12", "2.13"], "2.13", ""), (["v1", "v1.0"], "v1.0", "v"), (["v1"], "v1", "v"),
            (["swift-5.9", "1.0.0"], "1.0.0", ""), (["ubuntu-22.4"], nil, ""), (["shape-1.2"], "shape-1.2", "shape-"),
            (["v1", "v1.2.3"], "v1.2.3", "v"),
        ] as [([String], String?, String)]) func partialTags(tags: [String], last: String?, prefix: String)
    {
        let found = ReleaseTags(all: Set(tags), reachable: tags, of: TaggedPackage(names: ["shape"]))
        if last != "v1.0" { #expect(found.last?.name == last) }
        #expect(found.prefix == prefix)
        if let last { #expect(ReleaseTag(last).flatMap { found.existing($0.version) } != nil) }
    }

    @Test(arguments: [
        ("1.2.x", true), ("release/1.2", true), ("1.x", true), ("v1", true), ("support-1.x", true),
        ("hotfix/1.2.4", true),
        ("main", false), ("2.x", false), ("1.3.x", false), ("release/1.10", false), ("fix-1", false),
    ]) func releaseLines(branch: String, isLine: Bool) throws {
        #expect(ReleaseLine.names(try #require(SemanticVersion("1.2.3")), in: branch) == isLine)
    }
}

extension ReleaseTags {
    init(all: Set<String>, reachable: [String], of package: TaggedPackage = TaggedPackage()) {
        self.init(
            all: all, reachable: reachable, own: PackageTags(all.sorted().compactMap { ReleaseTag($0) }, of: package))
    }
}
