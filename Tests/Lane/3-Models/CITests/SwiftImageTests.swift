import Testing

@testable import CI

@Suite struct SwiftImageTests {
    @Test(
        "Only a release that builds lane has an image",
        arguments: [
            ("6.2.1\n", "swift:6.2.1-bookworm"), (" 6.2", "swift:6.2-bookworm"), ("10.0\r\n", "swift:10.0-bookworm"),
            ("5.10.1\n", nil), ("6.1.2\n", nil), ("6\n", nil), ("6.2-snapshot\n", nil),
            ("main-snapshot-2026-01-01\n", nil), ("", nil),
            ("6..2", nil), ("6.2 6.3", nil), ("6.2.2.3", nil), ("٦.١", nil),
        ])
    func releases(text: String, image: String?) {
        #expect(SwiftImage.image(ofRelease: text) == image)
    }
}
