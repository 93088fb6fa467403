import Files
import HTTP
import TestSupport
import Testing

extension FakeWebServer {
    /// Returns the files of a directory of the server, without any process between them.
    func files(at address: String = "http://localhost/run") throws -> WebFiles {
        let address = try WebAddress.address(in: address)
        return WebFiles(
            at: try #require(address), authorization: nil,
            send: { (requests, _) throws(CurlError) in requests.map(self.outcome) }, wait: { _ in false })
    }

    private func outcome(of request: HTTPRequest) -> Curl.Outcome {
        let path = "/" + request.url.split(separator: "/").dropFirst(2).joined(separator: "/")
        var body: [UInt8] = []
        switch request.body {
        case .none: break
        case .bytes(let bytes): body = bytes
        case .file(let path): body = (try? readFile(path)) ?? []
        }
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        let sent = LoopbackRequest(method: request.method, target: path, headers: headers, body: body)
        guard let answer = answer(sent) else { return .nothing(Curl.NoAnswer(reason: "hung up", isTemporary: true)) }
        return .answer(
            HTTPResponse(
                status: answer.status, headers: answer.headers.map { ($0.key.lowercased(), $0.value) },
                body: answer.body))
    }
}
