import Testing
import Text

@testable import Versioning

@Suite struct ReleaseTagsTests {
    @Test(
        arguments: [
            ("1.2.3", "", "1.2.3"), ("v1.2.3-rc.1", "v", "1.2.3-rc.1"), ("tracer-v1.2.3", "tracer-v", "1.2.3"),
            ("swift5-1.0.0", "swift5-", "1.0.0"), ("v1.2", nil, nil), ("release", nil, nil), ("v01.2.3", nil, nil),
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
}

extension ReleaseTags {
    init(all: Set<String>, reachable: [String], of package: TaggedPackage = TaggedPackage()) {
        self.init(
            all: all, reachable: reachable, own: PackageTags(all.sorted().compactMap { ReleaseTag($0) }, of: package))
    }
}
