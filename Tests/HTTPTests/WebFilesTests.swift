import Files
import HTTP
import Processes
import Synchronization
import TestSupport
import Testing

@Suite("Files on a web server, through curl", .startsPrograms)
struct WebFilesTests {
    private func files(_ server: LoopbackServer, _ directory: TemporaryDirectory) throws -> WebFiles {
        let address = try WebAddress.address(in: "\(server.address)/run/")
        let curl = Curl(
            processes: ChildRunner(),
            environment: processEnvironment().merging(["AUTHORIZATION": "Basic \"x\""]) { $1 },
            directory: directory.path)
        return WebFiles(at: try #require(address), curl: curl, cancellation: Cancellation())
    }

    @Test(
        "Files are created once, read, replaced, uploaded, downloaded and removed",
        .enabled(if: hasTool("curl"), "needs curl"), arguments: [false, true])
    func operations(needsDirectories: Bool) throws {
        let directory = try TemporaryDirectory()
        let fake = FakeWebServer(needsDirectories: needsDirectories) {
            $0.headers["authorization"] == "Basic \"x\"" ? nil : .status(401)
        }
        let server = try LoopbackServer(answer: fake.answer)
        server.start()
        defer { server.stop() }
        let files = try files(server, directory)
        #expect(try files.read("a") == nil)
        #expect(try files.create("a", Array("one".utf8)))
        #expect(try !files.create("a", Array("two".utf8)))
        fake.advance(by: 3)
        #expect(try files.age(of: "a") == 3)
        #expect(try files.age(of: "b") == nil)
        try files.write(Array("three\n".utf8), to: "a")
        #expect(try files.read("a") == Array("three\n".utf8))
        try directory.write("events", to: "draft")
        try files.upload("\(directory.path)/draft", to: "events/1")
        #expect(fake.files == ["/run/a": "three\n", "/run/events/1": "events"])
        #expect(try files.existing(["a", "b", "events/1", "c"]) == ["a", "events/1"])
        let targets = ["events/1", "b"].map { (name: $0, path: "\(directory.path)/copy-\(lastPathComponent($0))") }
        #expect(try files.download(targets) == ["events/1"])
        #expect(try directory.read("copy-1") == "events")
        try files.remove("a")
        try files.remove("a")
        #expect(fake.files.count == 1)
        // Nothing of the requests remains.
        #expect(try listDirectory(directory.path).filter { $0.hasPrefix("request") } == [])
    }

    @Test("Of requests at once, those without an answer are sent again")
    func repeated() throws {
        let rounds = Mutex<[[String]]>([])
        let files = WebFiles(
            at: try #require(try WebAddress.address(in: "https://host/run")), authorization: nil,
            send: { (requests, _) throws(CurlError) in
                let round = rounds.withLock { rounds in
                    rounds.append(requests.map { lastPathComponent($0.url) })
                    return rounds.count
                }
                return requests.enumerated().map { index, _ in
                    switch (round, index) {
                    case (1, 1): .answer(HTTPResponse(status: 503, headers: [], body: []))
                    case (1, 2...), (2, 1...): .nothing(Curl.NoAnswer(reason: "reset", isTemporary: true))
                    default: .answer(HTTPResponse(status: index == 0 ? 200 : 404, headers: [], body: []))
                    }
                }
            }, wait: { _ in false })
        #expect(try files.existing(["a", "b", "c", "d"]) == ["a", "b", "c"])
        #expect(rounds.withLock { $0 } == [["a", "b", "c", "d"], ["b", "c", "d"], ["c", "d"]])
    }

    @Test("Texts that are meant as addresses and are not are errors; others are paths")
    func addresses() throws {
        let form = "a path, or an address such as https://example.com/tests"
        let rest = "no query, fragment or white space in it"
        for (text, shown, expected) in [
            ("htp://host/x", nil, form), ("ftp://host", nil, form), ("http:/host/x", nil, form),
            ("https:host", nil, form), ("http://", nil, form),
            ("https://me:secret@host/x", "https://…@host", "no name and password in it"),
            ("https://host/x?y=1", nil, rest), ("https://host/a b", nil, rest),
        ] {
            let error = #expect(throws: WebError.self) { try WebAddress.address(in: text) }
            #expect(error?.description == "'\(shown ?? text)' is not an address: expected \(expected)")
        }
        #expect(try WebAddress.address(in: "/shared/run-42") == nil)
        #expect(try WebAddress.address(in: "http-queue") == nil)
        #expect(try WebAddress.address(in: "https://host/run//")?.text == "https://host/run")
    }
}
