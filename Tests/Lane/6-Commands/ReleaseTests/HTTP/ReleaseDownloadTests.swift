import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Release

@Suite("A release is downloaded with the files that verify it", .startsPrograms, .enabled(if: hasTool("curl")))
struct ReleaseDownloadTests {
    /// A server with the files of the release 1.0.0, each behind a redirect, as on GitHub.
    private static func server(_ names: [String], status: Int = 404) throws -> LoopbackServer {
        let assets = names.map {
            #"{"name":"\#($0)","browser_download_url":"URL/o/shape/releases/download/1.0.0/\#($0)"}"#
        }
        let server = try LoopbackServer { request in
            let name = String(request.path.split(separator: "/").last ?? "")
            // GitHub Enterprise serves its API below '/api/v3'.
            let pages = ["/api/repos", "/api/v3/repos"].flatMap { api in
                ["tags/1.0.0", "latest"].map { "\(api)/o/shape/releases/\($0)" }
            }
            if pages.contains(request.path) {
                let address = "http://\(request.headers["host"] ?? "")"
                let json = #"{"tag_name":"1.0.0","assets":["# + assets.joined(separator: ",") + "]}"
                return LoopbackAnswer(200, json.split(separator: "URL").joined(separator: address))
            }
            if request.path.hasPrefix("/o/"), names.contains(name) {
                return LoopbackAnswer(302, headers: ["Location": "/objects/\(name)"])
            }
            guard request.path.hasPrefix("/objects/") else { return LoopbackAnswer(status) }
            return LoopbackAnswer(200, name == "SHA256SUMS" ? sums : name)
        }
        server.start()
        return server
    }

    private static let sums = ["shape.tar.gz", "notes.txt", "../evil", ".hidden", "gone.txt"].map {
        "\(String(repeating: "0", count: 64))  \($0)\n"
    }.joined()

    private static let names = [
        "shape.tar.gz", "shape.tar.gz.sha256", "shape.sha256", "shape.sha256.sig", "shape.spdx.json", "shape.cdx.json",
        "shape.intoto.json", "notes.txt",
    ]

    private func fetch(
        _ path: String, from server: LoopbackServer, api: String? = nil, into directory: TemporaryDirectory
    ) throws -> (files: ReleaseDownload.Files, names: [String]) {
        let environment = ["PATH": buildEnvironment()["PATH"] ?? "", "GITHUB_API_URL": api ?? "\(server.address)/api"]
        try makeDirectories("\(directory.path)/files")
        let curl = Curl(processes: ChildRunner(), environment: environment, directory: directory.path)
        let download = ReleaseDownload(curl: curl, environment: environment, directory: "\(directory.path)/files")
        let files = try download.fetch(server.address + path)
        return (files, try listDirectory("\(directory.path)/files"))
    }

    @Test(arguments: [
        ("/o/shape/releases/tag/1.0.0", nil, names),
        ("/o/shape/releases/tag/1.0.0?x=y#z", nil, names),
        ("/o/shape/releases/latest", nil, names), ("/o/shape/releases/latest/", nil, names),
        ("/o/shape/releases/download/1.0.0/shape.tar.gz", "shape.tar.gz", names.filter { $0 != "notes.txt" }),
    ])
    func releasesAndFilesAreDownloaded(path: String, file: String?, names: [String]) throws {
        let server = try Self.server(Self.names)
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        let result = try fetch(path, from: server, into: directory)
        #expect(result.files.file == file && result.files.tag == "1.0.0")
        #expect(result.names == names.sorted())
        #expect(try directory.read("files/shape.tar.gz") == "shape.tar.gz")
    }

    @Test func aDirectoryHasTheFilesOfItsChecksums() throws {
        let server = try Self.server(Self.names + ["SHA256SUMS", "SHA256SUMS.asc"])
        defer { server.stop() }
        let result = try fetch("/o/shape/", from: server, into: TemporaryDirectory())
        #expect(result.files.file == nil && result.files.tag == nil)
        #expect(result.names == ["SHA256SUMS", "SHA256SUMS.asc", "notes.txt", "shape.tar.gz"])
    }

    @Test(arguments: [
        ("/o/shape/", 404, "'<S>/o/shape/' has no SHA256SUMS\nhint: pass the URL of a file, or of a release on GitHub"),
        ("/o/shape/x.zip", 404, "there is no '<S>/o/shape/x.zip'"),
        ("/o/shape/x.zip", 500, "'<S>/o/shape/x.zip' could not be downloaded: the server answered 500"),
        (
            "/o/shape/releases/tag/2.0.0", 404,
            "there is no '<S>/api/repos/o/shape/releases/tags/2.0.0'\nhint: if the repository is private, download the files and pass their directory"
        ),
        (
            "/o/other/releases/latest", 404,
            "there is no '<S>/api/repos/o/other/releases/latest'\nhint: if the repository is private, download the files and pass their directory; if it has only prereleases, pass …/releases/tag/TAG"
        ),
        (
            "/o/shape/releases/tag/2.0.0", 429,
            "'<S>/api/repos/o/shape/releases/tags/2.0.0' could not be downloaded: the server answered 429\nhint: GitHub limits requests without a token; try again later, or download the files and pass their directory"
        ),
    ])
    func missingFilesAreNamed(path: String, status: Int, message: String) throws {
        let server = try Self.server([], status: status)
        defer { server.stop() }
        let failure = #expect(throws: OperationFailure.self) {
            try fetch(path, from: server, into: TemporaryDirectory())
        }
        #expect(failure?.message == message.replacing("<S>", with: server.address))
        #expect(failure?.status == (status == 404 ? 66 : 1))
    }

    /// The signature may exist.
    @Test func aServerThatRefusesToAnswerIsNoServerWithoutSignatures() throws {
        let server = try Self.server(["shape.tar.gz", "shape.tar.gz.sha256"], status: 403)
        defer { server.stop() }
        let failure = #expect(throws: OperationFailure.self) {
            try fetch("/o/shape/shape.tar.gz", from: server, into: TemporaryDirectory())
        }
        #expect(failure?.message.hasSuffix("could not be downloaded: the server answered 403") == true)
    }

    /// Servers send a page for a login, for a repository, and some for each missing file.
    @Test func aWebPageIsNoFile() throws {
        let server = try LoopbackServer { request in
            request.path.hasSuffix("/shape.tar.gz")
                ? LoopbackAnswer(200, "shape")
                : LoopbackAnswer(200, "<html>", headers: ["Content-Type": "text/html; charset=utf-8"])
        }
        server.start()
        defer { server.stop() }
        #expect(try fetch("/o/shape.tar.gz", from: server, into: TemporaryDirectory()).names == ["shape.tar.gz"])
        for page in ["index.html", "INDEX.HTM"] {
            #expect(try fetch("/o/\(page)", from: server, into: TemporaryDirectory()).names == [page])
        }
        let failure = #expect(throws: OperationFailure.self) {
            try fetch("/o/shape", from: server, into: TemporaryDirectory())
        }
        #expect(
            failure?.message == """
                '\(server.address)/o/shape' is a web page, not the file 'shape'
                hint: pass the URL of a file, or of a release: https://github.com/OWNER/NAME/releases/tag/TAG
                """)
    }

    @Test(arguments: ["/o%20o/my%20shape.zip", "/o o/my shape.zip"]) func namesMayHaveSpaces(path: String) throws {
        let server = try LoopbackServer { request in
            ["/o%20o/my%20shape.zip", "/o%20o/my%20shape.zip.sha256"].contains(request.path)
                ? LoopbackAnswer(200, "shape") : LoopbackAnswer(404)
        }
        server.start()
        defer { server.stop() }
        let result = try fetch(path, from: server, into: TemporaryDirectory())
        #expect(result.files.file == "my shape.zip" && result.names == ["my shape.zip", "my shape.zip.sha256"])
        let outside = #expect(throws: OperationFailure.self) {
            try fetch("/o/..%2Fx", from: server, into: TemporaryDirectory())
        }
        #expect(outside?.message == "'../x' is no file name")
    }

    @Test func tagsInURLsAreDecoded() throws {
        let server = try Self.server(Self.names)
        defer { server.stop() }
        let path = "/o/shape/releases/download/1.0.0%2Bbuild.5/shape.tar.gz"
        #expect(try fetch(path, from: server, into: TemporaryDirectory()).files.tag == "1.0.0+build.5")
    }

    @Test func aServerWithoutAnAnswerIsNamed() throws {
        let server = try LoopbackServer { _ in nil }
        server.start()
        defer { server.stop() }
        let failure = #expect(throws: OperationFailure.self) {
            try fetch("/x.zip", from: server, into: TemporaryDirectory())
        }
        #expect(failure?.message.hasPrefix("'\(server.address)/x.zip' could not be downloaded: curl: (") == true)
    }

    /// GitHub's runners always set the variable, also for a release on another server, whose port may be its own.
    @Test(arguments: ["https://api.elsewhere.invalid", "http://127.0.0.1:1/api"])
    func theAPIOfAnotherServerIsNotAsked(api: String) throws {
        let server = try Self.server(Self.names)
        defer { server.stop() }
        let result = try fetch("/o/shape/releases/tag/1.0.0", from: server, api: api, into: TemporaryDirectory())
        #expect(result.names == Self.names.sorted())
    }
}
