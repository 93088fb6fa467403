import Testing

@testable import Text

@Suite struct URLPathTests {
    @Test(arguments: [
        ("file:///a%20b", "/a b"), ("file:///a%4", "/a%4"), ("file:///a%", "/a%"), ("file:///%zz%41", "/%zzA"),
        ("file:///%4g", "/%4g"), ("file:///%C3%A9", "/é"), ("file://", ""), ("file:///%%41", "/%A"),
    ]) func paths(address: String, path: String) {
        #expect(URLPath.ofFile(address) == path)
    }

    @Test func partsOfPaths() {
        #expect(URLPath.decoded("1.2.0%2Bbuild.5") == "1.2.0+build.5")
        #expect(URLPath.encoded("a b/é+~.zip") == "a%20b%2F%C3%A9%2B~.zip")
    }

    @Test func otherAddressesHaveNone() {
        #expect(URLPath.ofFile("https://example.com/a") == nil)
    }
}
