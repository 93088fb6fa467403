import Files
package import Processes
import Text

/// Files in a directory of a web server that answers GET, HEAD, PUT, DELETE and MOVE as WebDAV defines them, and MKCOL
/// unless PUT creates directories.
///
/// A file is created at most once by a MOVE with `Overwrite: F`: servers such as nginx ignore `If-None-Match` for PUT.
/// nginx and Apache check and rename in two steps, so two calls at the same moment may both succeed; one file remains.
package struct WebFiles: Sendable {
    /// A function that sends requests one after another or at once.
    package typealias Send = @Sendable ([HTTPRequest], _ atOnce: Bool) throws(CurlError) -> [Curl.Outcome]

    /// The address of the directory.
    package let address: WebAddress
    private let authorization: String?
    private let send: Send
    private let wait: @Sendable (Duration) -> Bool

    /// The variable with the value of the header `Authorization`.
    package static let authorizationName = "AUTHORIZATION"
    /// The number of attempts, which take half a minute in all.
    private static let attempts = 7
    /// The statuses of temporary errors.
    private static let temporaryStatuses = [429, 502, 503, 504]
    /// The number of requests in one process.
    private static let most = 500

    /// - Parameter wait: A function that waits before a retry, and returns whether the run was cancelled.
    package init(
        at address: WebAddress, authorization: String?, send: @escaping Send,
        wait: @escaping @Sendable (Duration) -> Bool
    ) {
        self.address = address
        let value = authorization?.filter { !$0.isNewline } ?? ""
        self.authorization = value.isEmpty ? nil : value
        self.send = send
        self.wait = wait
    }

    /// Creates files to which `curl` sends the requests.
    package init(at address: WebAddress, curl: Curl, cancellation: Cancellation) {
        self.init(
            at: address, authorization: curl.environment[Self.authorizationName],
            send: { (requests, atOnce) throws(CurlError) in try curl.send(requests, atOnce: atOnce) },
            wait: { cancellation.wait($0) })
    }

    /// Returns the address of a file. An empty name is that of the directory.
    package func url(_ name: String) -> String { name.isEmpty ? address.text : "\(address)/\(name)" }

    /// Returns the content of a file, or `nil` if there is none.
    package func read(_ name: String) throws(WebError) -> [UInt8]? {
        let request = HTTPRequest(url: url(name))
        let answer = try ask([request]).answers[0]
        return try exists(answer, request) ? answer.body : nil
    }

    /// Writes files to local paths. Returns the names of those that exist.
    package func download(_ files: [(name: String, path: String)]) throws(WebError) -> Set<String> {
        try existing(files.map { ($0.name, HTTPRequest(url: url($0.name), output: $0.path)) })
    }

    /// Returns the names of those files that exist.
    package func existing(_ names: [String]) throws(WebError) -> Set<String> {
        try existing(names.map { ($0, HTTPRequest(method: "HEAD", url: url($0))) })
    }

    private func existing(_ requests: [(name: String, request: HTTPRequest)]) throws(WebError) -> Set<String> {
        var found: Set<String> = []
        var rest = requests[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.most)
            rest = rest.dropFirst(part.count)
            for (answer, entry) in zip(try ask(part.map(\.request), atOnce: true).answers, part)
            where try exists(answer, entry.request) { found.insert(entry.name) }
        }
        return found
    }

    /// Returns the time in seconds since a file was written by the clock of the server, or `nil` if there is none.
    package func age(of name: String) throws(WebError) -> Double? {
        let request = HTTPRequest(method: "HEAD", url: url(name))
        let answer = try ask([request]).answers[0]
        guard try exists(answer, request) else { return nil }
        guard let now = answer.header("date").flatMap(HTTPDate.seconds),
            let written = answer.header("last-modified").flatMap(HTTPDate.seconds)
        else { throw .undated(request.url) }
        return Double(now - written)
    }

    /// Writes a file, which replaces an earlier one.
    package func write(_ content: [UInt8], to name: String) throws(WebError) {
        let request = HTTPRequest(method: "PUT", url: url(name), body: .bytes(content))
        try check(try put([request], name).answers[0], request)
    }

    /// Removes a file, if it exists.
    package func remove(_ name: String) throws(WebError) {
        let request = HTTPRequest(method: "DELETE", url: url(name))
        _ = try exists(try ask([request]).answers[0], request)
    }

    /// Creates a file, unless there is one. Returns a Boolean value that indicates whether this call has created it.
    ///
    /// - Parameter content: A text that no other call has, to recognize the file if an answer was lost.
    package func create(_ name: String, _ content: [UInt8]) throws(WebError) -> Bool {
        let (isNew, attempts) = try create(name, .bytes(content))
        guard !isNew, attempts > 1 else { return isNew }
        return try read(name) == content
    }

    /// Uploads a local file, unless there is one on the server.
    package func upload(_ path: String, to name: String) throws(WebError) {
        _ = try create(name, .file(path))
    }

    private func create(_ name: String, _ body: HTTPRequest.Body) throws(WebError) -> (Bool, attempts: Int) {
        let draft = url("\(name).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))")
        let put = HTTPRequest(method: "PUT", url: draft, body: body)
        let move = HTTPRequest(
            method: "MOVE", url: draft, headers: [("Destination", url(name)), ("Overwrite", "F")])
        let (answers, attempts) = try self.put([put, move, HTTPRequest(method: "DELETE", url: draft)], name)
        try check(answers[0], put)
        guard answers[1].status != 412 else { return (false, attempts) }
        try check(answers[1], move)
        return (true, attempts)
    }

    /// Sends a PUT and the requests that depend on it. Creates the directories of the file if the server asks for them, as
    /// Apache does.
    private func put(
        _ requests: [HTTPRequest], _ name: String
    ) throws(WebError) -> (answers: [HTTPResponse], attempts: Int) {
        let result = try ask(requests)
        guard result.answers[0].status == 409 else { return result }
        let parts = url(name).split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let host = 3
        guard parts.count > host else { return result }
        // A directory that exists is not an error here: the answer to PUT counts.
        _ = try ask(
            (host + 1...parts.count).map { end in
                HTTPRequest(method: "MKCOL", url: parts[..<end].joined(separator: "/") + "/")
            })
        return try ask(requests)
    }

    private func exists(_ answer: HTTPResponse, _ request: HTTPRequest) throws(WebError) -> Bool {
        guard answer.status != 404, answer.status != 410 else { return false }
        try check(answer, request)
        return true
    }

    private func check(_ answer: HTTPResponse, _ request: HTTPRequest) throws(WebError) {
        guard !answer.isSuccess else { return }
        throw .refused(
            method: request.method, url: request.url, status: answer.status, location: answer.header("location"),
            isAuthorized: authorization != nil)
    }

    /// Returns the answers to requests. After a temporary error, requests that do not depend on each other are sent again
    /// if they have no answer, and others all.
    private func ask(
        _ requests: [HTTPRequest], atOnce: Bool = false
    ) throws(WebError) -> (answers: [HTTPResponse], attempts: Int) {
        let sent = requests.map { request in
            var request = request
            if let authorization { request.headers.append(("Authorization", authorization)) }
            return request
        }
        var answers = [HTTPResponse?](repeating: nil, count: requests.count)
        var open = Array(sent.indices)
        var attempt = 1
        while true {
            var failure: (url: String, reason: String, isTemporary: Bool)?
            for (index, outcome) in zip(open, try outcomes(of: open.map { sent[$0] }, atOnce: atOnce)) {
                switch outcome {
                case .nothing(let error): failure = failure ?? (sent[index].url, error.reason, error.isTemporary)
                case .answer(let answer) where Self.temporaryStatuses.contains(answer.status):
                    failure = failure ?? (sent[index].url, "status \(answer.status)", true)
                case .answer(let answer): answers[index] = answer
                }
            }
            guard let failure else { return (answers.compactMap(\.self), attempt) }
            guard failure.isTemporary, attempt < Self.attempts else {
                throw .noAnswer(failure.url, reason: failure.reason, attempts: attempt)
            }
            if wait(.milliseconds(500 << min(attempt - 1, 4))) { throw .cancelled }
            attempt += 1
            if atOnce {
                let rest = open.filter { answers[$0] == nil }
                // A server that answers some requests is there.
                if rest.count < open.count { attempt = 1 }
                open = rest
            }
        }
    }

    private func outcomes(of requests: [HTTPRequest], atOnce: Bool) throws(WebError) -> [Curl.Outcome] {
        do throws(CurlError) {
            return try send(requests, atOnce)
        } catch {
            switch error {
            case .file(let error): throw .file(error)
            case .start(let error): throw .start(error)
            case .stopped: throw .cancelled
            }
        }
    }
}

/// The dates in HTTP headers, such as `Wed, 25 Nov 2026 02:51:03 GMT` (RFC 9110).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the seconds since 1970, or `nil` for any other text.
    static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[1].utf8.count == 2, let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, let date = CivilDate(iso8601: "\(words[3])-\(number)-\(words[1])") else { return nil }
        return date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
