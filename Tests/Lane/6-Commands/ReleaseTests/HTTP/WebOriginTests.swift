import Testing

@testable import Release

@Suite struct WebOriginTests {
    @Test("Addresses with the same scheme, host and port have one origin")
    func origins() {
        #expect(WebOrigin("https://Example.com/a?b") == WebOrigin("https://me@example.com:443"))
        #expect(WebOrigin("http://example.com") != WebOrigin("https://example.com"))
        #expect(WebOrigin("https://example.com:8443") != WebOrigin("https://example.com"))
        #expect(WebOrigin("https://[::1]:80/")?.host == "[::1]")
        #expect(WebOrigin("example.com/a") == nil)
        #expect(WebOrigin("https:///a") == nil)
    }

    @Test("Secrets go to encrypted servers and to this machine")
    func security() {
        #expect(
            ["https://example.com", "http://localhost:80", "http://[::1]/a"].allSatisfy {
                WebOrigin($0)?.isSecure == true
            })
        #expect(WebOrigin("http://example.com")?.isSecure == false)
    }

    @Test("The next page is the link with that relation")
    func nextPage() {
        let link = #"<https://a.example/1>; rel="prev", <https://a.example/3>; rel="next""#
        #expect(HTTPResponse(status: 200, headers: [("link", link)], body: []).nextPage == "https://a.example/3")
        #expect(HTTPResponse(status: 200, headers: [], body: []).nextPage == nil)
    }
}
