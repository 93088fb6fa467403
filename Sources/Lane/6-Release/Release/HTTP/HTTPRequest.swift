/// An HTTP request.
package struct HTTPRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// The content of a file, which is streamed.
        case file(String)
    }

    /// The method, such as `PUT`.
    package var method = "GET"
    package var url: String
    /// The headers in order.
    package var headers: [(name: String, value: String)] = []
    package var body = Body.none
    /// The file for the body of the answer, or `nil` to return it.
    package var output: String?
    /// A Boolean value that indicates whether redirects are followed. Never set it for a request with a token.
    package var followsRedirects = false
}
