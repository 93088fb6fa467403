import CLibrary
import OperatingSystem
import Synchronization

/// A request over a loopback connection.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// With the query.
    package let target: String
    /// Names in lowercase.
    package let headers: [String: String]
    package internal(set) var body: [UInt8] = []

    package init(method: String, target: String, headers: [String: String], body: [UInt8] = []) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    package var path: String { String(target.prefix { $0 != "?" }) }

    /// `POST /repos/o/r/releases`
    package var line: String { "\(method) \(target)" }

    /// The value of a name in the query.
    package func query(_ name: String) -> String? {
        let pairs = target.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&") ?? []
        return pairs.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
}

package struct LoopbackAnswer: Sendable {
    package let status: Int
    package let headers: [String: String]
    package let body: [UInt8]

    package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ status: Int, _ json: String, headers: [String: String] = [:]) {
        self.init(status, headers: headers, body: Array(json.utf8))
    }
}

/// A real HTTP server for tests: on this machine's own address, on any free port, one connection after the other.
package final class LoopbackServer: Sendable {
    package let port: UInt16
    package var address: String { "http://127.0.0.1:\(port)" }
    private let listener: Int32
    private let isOver = Atomic(false)
    private let isOpen: @Sendable (LoopbackRequest) -> Bool
    private let answer: @Sendable (LoopbackRequest) -> LoopbackAnswer?

    /// - Parameters:
    ///   - accepts: Sees a request before its body has come; false hangs up.
    ///   - answer: Answers it; `nil` hangs up.
    package init(
        accepts: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true },
        answer: @escaping @Sendable (LoopbackRequest) -> LoopbackAnswer?
    ) throws {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(listener, place, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, place, &size) == 0
            }
        }
        guard isBound else { throw POSIXFailure("bind", errno) }
        self.listener = listener
        port = UInt16(bigEndian: place.sin_port)
        isOpen = accepts
        self.answer = answer
    }

    /// Serves until `stop`.
    package func start() {
        _ = Thread { self.serve() }
    }

    package func stop() {
        isOver.store(true, ordering: .relaxed)
    }

    private func serve() {
        defer { close(listener) }
        while !isOver.load(ordering: .relaxed) {
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 20) > 0 else { continue }
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            serve(connection)
            close(connection)
        }
    }

    private func serve(_ connection: Int32) {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = bytes.firstRange(of: end) {
                guard var request = Self.request(bytes[..<head.lowerBound]), isOpen(request) else { return }
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                var body = Array(bytes[head.upperBound...])
                while body.count < length, let more = Self.read(connection) { body += more }
                guard body.count >= length else { return }
                request.body = body
                guard let answer = answer(request) else { return }
                return send(answer, connection)
            }
            guard let more = Self.read(connection) else { return }
            bytes += more
        }
    }

    private static func request(_ head: ArraySlice<UInt8>) -> LoopbackRequest? {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return LoopbackRequest(method: String(words[0]), target: String(words[1]), headers: headers)
    }

    /// `nil` at the end.
    private static func read(_ connection: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func send(_ answer: LoopbackAnswer, _ connection: Int32) {
        var head = "HTTP/1.1 \(answer.status) \(answer.status < 400 ? "OK" : "No")\r\n"
        for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
        var rest = (Array(head.utf8) + answer.body)[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = rest.withUnsafeBytes {
                    CLibrary.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            #else
                var one: Int32 = 1
                setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
                let count = rest.withUnsafeBytes { CLibrary.send(connection, $0.baseAddress, $0.count, 0) }
            #endif
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
