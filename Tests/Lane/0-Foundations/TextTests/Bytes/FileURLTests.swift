import Testing

@testable import Text

@Suite struct FileURLTests {
    @Test(arguments: [
        ("file:///a%20b", "/a b"), ("file:///a%4", "/a%4"), ("file:///a%", "/a%"), ("file:///%zz%41", "/%zzA"),
        ("file:///%4g", "/%4g"), ("file:///%C3%A9", "/é"), ("file://", ""), ("file:///%%41", "/%A"),
    ]) func paths(address: String, path: String) {
        #expect(FileURL.path(address) == path)
    }

    @Test func otherAddressesHaveNone() {
        #expect(FileURL.path("https://example.com/a") == nil)
    }
}
