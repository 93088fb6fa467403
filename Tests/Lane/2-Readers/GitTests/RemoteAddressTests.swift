import Git
import Testing

@Suite struct RemoteAddressTests {
    @Test(
        arguments: [
            ("git@github.com:o/r.git", "https://github.com/o/r"),
            ("https://x:y@github.com/o/r", "https://github.com/o/r"),
            ("ssh://git@github.com/o/r.git/", "https://github.com/o/r"), ("https://example.org/o/r", nil),
            ("/srv/r.git", nil), ("git@github.com:\u{301}o/r", nil),
        ] as [(String, String?)])
    func pages(remote: String, page: String?) {
        #expect(RemoteAddress(remote).flatMap(\.page) == page)
    }
}
