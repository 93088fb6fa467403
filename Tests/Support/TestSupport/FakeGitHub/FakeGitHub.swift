import Archives
import Synchronization
import Text

/// As much of GitHub as publishing needs, with all its habits: drafts that cannot be found by their tag, uploads on
/// another server, files that are half there.
package final class FakeGitHub: Sendable {
    /// A fault in the answer to one request.
    package enum Fault: Sendable {
        /// Hangs up before the request's body has come.
        case hangUp
        /// Does what was asked, and hangs up.
        case loseAnswer
        /// Answers this, and does nothing.
        case answer(LoopbackAnswer)
        /// Does what was asked, and says that it failed.
        case failAfterwards
        /// Keeps half of an upload, and says that it failed.
        case keepHalf
        /// Does this when the request was served, and hangs up.
        case hangUpAfter(@Sendable () -> Void)
    }

    package struct Asset: Sendable, Equatable {
        package let id: Int
        package let name: String
        package var content: [UInt8]
        package var isUploaded = true
    }

    package struct Release: Sendable, Equatable {
        package let id: Int
        package let tag: String
        package var name: String
        package var body: String
        package var isDraft: Bool
        package var isPrerelease: Bool
        package var latest: String?
        package var assets: [Asset] = []

        package init(id: Int, tag: String, name: String = "", body: String = "", isDraft: Bool = false) {
            self.id = id
            self.tag = tag
            self.name = name
            self.body = body
            self.isDraft = isDraft
            isPrerelease = false
        }
    }

    package struct PullRequest: Sendable, Equatable {
        package let number: Int
        package let branch: String
        package let base: String
        package var title: String
        package var body: String
        package var isOpen = true
    }

    package struct State: Sendable {
        package var tags: [String: String] = [:]
        package var releases: [Release] = []
        package var pullRequests: [PullRequest] = []
        package var nextID = 1
        /// Every request, as it was made.
        package var log: [LoopbackRequest] = []
        /// The number of requests that changed something.
        package var writes = 0
        package var tellsDigests = true
        package var isImmutable = false
        package var pageSize = 100

        package mutating func takeID() -> Int {
            nextID += 1
            return nextID - 1
        }
    }

    package static let token = "ghp_0123456789abcdefSECRET"
    package static let repository = "ada/sample"

    private let shared: Shared
    private let servers: [LoopbackServer]

    /// The state that both servers share.
    final class Shared: Sendable {
        let state = Mutex(State())
        let fault = Mutex<@Sendable (Int, LoopbackRequest) -> Fault?>({ _, _ in nil })
        let uploads = Mutex("")
    }

    package init() throws {
        let shared = Shared()
        self.shared = shared
        servers = try (0..<2).map { _ in
            try LoopbackServer(
                accepts: { shared.accepts($0) },
                answer: { shared.answer($0) })
        }
        shared.uploads.withLock { $0 = servers[1].address }
        for server in servers { server.start() }
    }

    deinit {
        for server in servers { server.stop() }
    }

    package var address: String { servers[0].address }

    package var state: State {
        get { shared.state.withLock { $0 } }
        set { shared.state.withLock { $0 = newValue } }
    }

    /// Asked with the number of each request, from 0.
    package func fault(_ fault: @escaping @Sendable (Int, LoopbackRequest) -> Fault?) {
        shared.fault.withLock { $0 = fault }
    }

    /// The environment variables with which `lane` finds it.
    package var environment: [String: String] {
        ["GITHUB_API_URL": address, "GITHUB_REPOSITORY": Self.repository, "GITHUB_TOKEN": Self.token]
    }

    /// Forgets what it was asked, and goes on without faults.
    package func beginAgain() {
        fault { _, _ in nil }
        shared.state.withLock { state in
            state.log = []
            state.writes = 0
        }
    }
}

extension FakeGitHub.Shared {
    /// Notes the request, and whether its body is waited for.
    func accepts(_ request: LoopbackRequest) -> Bool {
        let number = state.withLock { state in
            state.log.append(request)
            return state.log.count - 1
        }
        guard case .hangUp? = fault.withLock({ $0 })(number, request) else { return true }
        return false
    }

    func answer(_ request: LoopbackRequest) -> LoopbackAnswer? {
        let number = state.withLock { state in
            state.log[state.log.count - 1] = request
            return state.log.count - 1
        }
        switch fault.withLock({ $0 })(number, request) {
        case .answer(let answer): return answer
        case .loseAnswer:
            _ = serve(request)
            return nil
        case .failAfterwards:
            _ = serve(request)
            return LoopbackAnswer(502, #"{"message":"Bad Gateway"}"#)
        case .keepHalf:
            _ = serve(request, keepsHalf: true)
            return LoopbackAnswer(502, #"{"message":"Bad Gateway"}"#)
        case .hangUpAfter(let work):
            _ = serve(request)
            work()
            return nil
        case .hangUp, nil: return serve(request)
        }
    }

    private func serve(_ request: LoopbackRequest, keepsHalf: Bool = false) -> LoopbackAnswer {
        let address = uploads.withLock { $0 }
        return state.withLock { $0.serve(request, uploads: address, keepsHalf: keepsHalf) }
    }
}
