import Synchronization

/// As much of a WebDAV server as a queue needs, with a clock that tests set: GET, HEAD, PUT, DELETE and MOVE.
package final class FakeWebServer: Sendable {
    /// The reaction to a request, in place of an answer.
    package enum Fault: Sendable {
        /// Hangs up without doing anything.
        case hangUp
        /// Does what was asked, and hangs up.
        case loseAnswer
        /// Answers this status, and does nothing.
        case status(Int)
    }

    private struct State {
        var directories: Set<String> = ["/"]
        var files: [String: (content: [UInt8], time: Double)] = [:]
        var time = 1_795_000_000.0
    }

    private let state = Mutex(State())
    private let fault: @Sendable (LoopbackRequest) -> Fault?

    /// A Boolean value that indicates whether clients create directories with MKCOL, as Apache demands.
    private let needsDirectories: Bool

    package init(
        needsDirectories: Bool = false, fault: @escaping @Sendable (LoopbackRequest) -> Fault? = { _ in nil }
    ) {
        self.needsDirectories = needsDirectories
        self.fault = fault
    }

    /// The time in seconds since 1970.
    package var time: Double { state.withLock { $0.time } }

    package func advance(by seconds: Double) { state.withLock { $0.time += seconds } }

    /// The contents of the files, by their paths.
    package var files: [String: String] {
        state.withLock { $0.files.mapValues { String(decoding: $0.content, as: UTF8.self) } }
    }

    /// Answers a request; `nil` hangs up.
    package func answer(_ request: LoopbackRequest) -> LoopbackAnswer? {
        switch fault(request) {
        case .hangUp: return nil
        case .status(let status): return LoopbackAnswer(status)
        case .loseAnswer:
            _ = handled(request)
            return nil
        case nil: return handled(request)
        }
    }

    private func handled(_ request: LoopbackRequest) -> LoopbackAnswer {
        state.withLock { state in
            let file = state.files[request.path]
            switch request.method {
            case "MKCOL":
                guard state.directories.contains(Self.directory(of: String(request.path.dropLast()))) else {
                    return LoopbackAnswer(409)
                }
                return LoopbackAnswer(state.directories.insert(request.path).inserted ? 201 : 405)
            case "PUT":
                if needsDirectories, !state.directories.contains(Self.directory(of: request.path)) {
                    return LoopbackAnswer(409)
                }
                state.files[request.path] = (request.body, state.time)
                return LoopbackAnswer(file == nil ? 201 : 204)
            case "DELETE":
                state.files[request.path] = nil
                return LoopbackAnswer(file == nil ? 404 : 204)
            case "MOVE":
                let address = request.headers["destination"] ?? ""
                let target = "/" + address.split(separator: "/").dropFirst(2).joined(separator: "/")
                guard let file else { return LoopbackAnswer(404) }
                guard state.files[target] == nil || request.headers["overwrite"] != "F" else {
                    return LoopbackAnswer(412)
                }
                state.files[target] = file
                state.files[request.path] = nil
                return LoopbackAnswer(204)
            case "GET", "HEAD":
                guard let file else { return LoopbackAnswer(404) }
                let headers = ["Date": Self.date(state.time), "Last-Modified": Self.date(file.time)]
                return LoopbackAnswer(200, headers: headers, body: request.method == "GET" ? file.content : [])
            default: return LoopbackAnswer(405)
            }
        }
    }

    /// Returns the path of the directory with a trailing slash.
    private static func directory(of path: String) -> String {
        String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Returns a time of November 2026 in the form of HTTP.
    private static func date(_ time: Double) -> String {
        let seconds = Int(time) - 1_793_491_200
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let day = seconds / 86_400 + 1
        return "Wed, \(day < 10 ? "0" : "")\(day) Nov 2026 \(parts.joined(separator: ":")) GMT"
    }
}
