import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import SwiftPackages
import Synchronization
import TestSupport
import Testing

@Suite(.startsPrograms, .enabled(if: hasTool("curl"), "needs curl")) struct PublishRefusalTests {
    @Test func allProblemsAreReportedWithoutRequests() throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell("echo changed >> dist/sample-0.2.0-linux.tar.gz")
        let failure = try #require(
            fixture.refusal(environment: ["GITHUB_TOKEN": "", "GITHUB_API_URL": "http://example.com"]))
        #expect(failure.status == 65)
        #expect(
            redacted(failure.message) == """
                3 problems
                - publishing needs a token in GITHUB_TOKEN
                - GITHUB_API_URL: expected a URL that starts with https://, found 'http://example.com'
                - 'dist/sample-0.2.0-linux.tar.gz' was changed after it was created: expected the SHA-256 <hash>, found <hash>
                """)
        #expect(fixture.gitHub.state.log.isEmpty)
    }

    /// A shell script, the settings, and the error.
    @Test(
        arguments: [
            (
                "git tag -d 0.2.0 0.2.0-rc.1 0.1.0", [:],
                "no tag at HEAD names a version\nhint: create a tag, or set 'tag'"
            ),
            ("true", ["tag": "9.9.9"], "there is no tag '9.9.9'"),
            (
                "rm dist/sample-0.2.0*", [:],
                "no file in 'dist' names 0.2.0\nhint: package it first, or set 'files: []' for a release without files"
            ),
            ("true", ["files": "out/*.zip"], "no files match 'out/*.zip'"),
            (
                "echo x > 'dist/sample-0.2.0 (1).txt'", ["files": "dist/sample-0.2.0*"],
                "GitHub would rename 'sample-0.2.0 (1).txt' to 'sample-0.2.0.1.txt'\nhint: rename it"
            ),
            (
                ": > dist/sample-0.2.0.txt", ["files": "dist/*.txt"],
                "'sample-0.2.0.txt' is empty, which GitHub does not accept"
            ),
            ("true", ["repository": "x"], "expected a repository as owner/name, found 'x'"),
            (
                "git tag -f -a -m other 0.2.0", [:],
                "the tag '0.2.0' differs in 'ada/sample': expected <object>, found <object>"
            ),
        ] as [(String, [String: String], String)])
    func refusals(script: String, settings: [String: String], message: String) throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell(script)
        let failure = fixture.refusal(settings.mapValues { .string($0) })
        #expect(failure?.message.replacing(#/\b[0-9a-f]{12}\b/#, with: "<object>") == message)
        #expect(fixture.gitHub.state.writes == 0)
    }

    /// Plugins are used as sources, so there is nothing to package or to upload.
    @Test func aPackageOfPluginsIsReleasedWithoutFiles() throws {
        let fixture = try PublishFixture()
        let repository = fixture.repository
        func manifest(_ kind: String) -> String {
            """
            // swift-tools-version: 6.0
            import PackageDescription
            import Foundation
            if ProcessInfo.processInfo.environment["GITHUB_TOKEN"] != nil { fatalError("told a secret") }
            let package = Package(name: "Gen", products: [.\(kind)], targets: [
                .plugin(name: "Gen", capability: .buildTool()), .target(name: "Kin")])

            """
        }
        func release(_ kind: String) throws {
            try repository.write(manifest(kind), to: "Package.swift")
            try repository.shell("mkdir -p Plugins/Gen Sources/Kin; touch Plugins/Gen/Gen.swift Sources/Kin/Kin.swift")
            try repository.commit("Gen")
            try repository.git("tag -f -a 0.2.0 -m 'Release 0.2.0'; rm -f dist/sample-0.2.0*")
            fixture.gitHub.state.tags["0.2.0"] = try repository.git("rev-parse refs/tags/0.2.0")
        }
        try release("library(name: \"Kin\", targets: [\"Kin\"])")
        #expect(
            fixture.refusal()?.message
                == "no file in 'dist' names 0.2.0\nhint: package it first, or set 'files: []' for a release without files"
        )
        try release("plugin(name: \"Gen\", targets: [\"Gen\"])")
        try fixture.publish()
        let published = try #require(fixture.gitHub.state.releases.first)
        #expect(!published.isDraft && published.assets.isEmpty)
        #expect(fixture.events.messages.contains("the package has no products to package: the release has no files"))
    }

    @Test func aReleaseMayHaveNoFiles() throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell("rm dist/sample-0.2.0*")
        try fixture.publish(["files": .list([])])
        let release = try #require(fixture.gitHub.state.releases.first)
        #expect(!release.isDraft && release.assets.isEmpty)
    }

    @Test func theRepositoryIsThatOfTheRemote() throws {
        let fixture = try PublishFixture()
        try fixture.repository.git("remote add origin git@github.com:ada/sample.git")
        try fixture.publish(environment: ["GITHUB_REPOSITORY": ""])
        #expect(try fixture.isWhole)
    }

    /// A token is sent only to the server that issued it, and the port of the API is that of the pages.
    @Test(arguments: [
        ("https://gitlab.example.com/ada/sample.git", "https://gitlab.example.com"),
        ("https://ada@git.example.com:8443/ada/sample.git", "https://git.example.com:8443"),
        ("ssh://git@git.example.com:2222/ada/sample.git", "https://git.example.com"),
        ("http://git.example.com:8080/ada/sample.git", "https://git.example.com"),
    ])
    func theHintForAnotherServerNamesItsAPI(remote: String, server: String) throws {
        let fixture = try PublishFixture()
        try fixture.repository.git("remote add origin \(remote)")
        let failure = fixture.refusal(environment: ["GITHUB_REPOSITORY": "", "GITHUB_API_URL": ""])
        let host = remote.contains("gitlab") ? "gitlab.example.com" : "git.example.com"
        #expect(
            failure?.message == """
                the remote 'origin' is on '\(host)', not on github.com
                hint: for GitHub Enterprise, set GITHUB_API_URL to \(server)/api/v3
                """)
    }

    /// A hook of the remote, and the lines that it prints.
    @Test(arguments: [
        "echo 'error: GH006: Protected branch update failed for refs/heads/main.'; echo 'error: Changes must be made through a pull request.'",
        "echo; echo 'GitLab: You are not allowed to push code to protected branches on this project.   '",
        "echo 'Counting objects: 1'; echo 'TF402455: Pushes to this branch are not permitted'",
        "echo 'GH013: Repository rule violations found'; echo 'Review all rules at https://example.com/rules'; exec >&-",
    ])
    func theReasonOfAProtectedBranchIsShown(script: String) throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell("git init -q --bare ../remote.git; git remote add origin ../remote.git")
        try fixture.repository.write("#!/bin/sh\nexec >&2\n\(script)\nexit 1\n", to: "../remote.git/hooks/pre-receive")
        try fixture.repository.shell("chmod +x ../remote.git/hooks/pre-receive")
        let message = fixture.refusal(["push": .bool(true)])?.message ?? "nothing"
        let lines = script.split(separator: "'").map(String.init).filter {
            $0.contains(":") && !$0.hasPrefix("Counting")
        }
        #expect(message.hasPrefix("'origin' rejected the push: "), "\(message)")
        for line in lines {
            let text = line.split(separator: " ").joined(separator: " ")
            #expect(message.split(separator: "\n").contains { $0 == text }, "\(message)")
        }
        #expect(!message.contains("Counting") && !message.contains("remote:"), "\(message)")
        #expect(message.contains("\nnothing was pushed; the release '0.2.0' exists only in this repository\nhint: "))
    }

    /// A second attempt would fail, too. An error of the connection is another failure, which is retried.
    @Test(arguments: ["echo 'lint: 3 errors' >&2; exit 1", "exit 2", "echo x; exit 1"])
    func aHookThatRefusesThePushIsNotRetried(script: String) throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell(
            "git init -q --bare ../remote.git; git remote add origin ../remote.git; mkdir -p .git/hooks")
        try fixture.repository.write("#!/bin/sh\necho >> .git/calls\n\(script)\n", to: ".git/hooks/pre-push")
        try fixture.repository.shell("chmod +x .git/hooks/pre-push")
        let failure = fixture.refusal(["push": .bool(true)])
        #expect(failure?.status == 65)
        #expect(failure?.message.hasPrefix("a hook of the repository refused the push ('pre-push'): ") == true)
        #expect(failure?.message.contains("lint: 3 errors") == script.contains("lint"), "\(failure?.message ?? "")")
        #expect(failure?.message.contains("nothing was pushed; the release '0.2.0'") == true)
        #expect(try fixture.repository.shell("wc -l < .git/calls; git ls-remote origin") == "1")
        try fixture.repository.shell("rm -r ../remote.git")
        #expect(fixture.refusal(["push": .bool(true)])?.status == 1)
    }

    /// The answer to each request, and the error.
    @Test(
        arguments: [
            (
                401, "{\"message\":\"Bad credentials\"}",
                "GitHub rejected the token in GITHUB_TOKEN: 401 Bad credentials\nhint: it may be expired or incomplete"
            ),
            (
                403, "{\"message\":\"Resource not accessible\"}",
                "GitHub did not return the tag '0.2.0': 403 Resource not accessible\nhint: the token in GITHUB_TOKEN needs the permission 'contents: write'"
            ),
            (
                404, "{\"message\":\"Not Found\"}",
                """
                'ada/sample' has no tag '0.2.0', or the token has no access to it
                hint: set 'push: true', or push it: git push origin refs/tags/0.2.0
                """
            ),
            (
                500, "",
                """
                no answer from '<server>/repos/ada/sample/git/ref/tags/0.2.0' after 5 attempts: GitHub answered 500
                hint: run it again to continue
                """
            ),
            (
                422, "{\"message\":\"Validation Failed\",\"errors\":[{\"field\":\"tag_name\",\"code\":\"custom\"}]}",
                "GitHub did not return the tag '0.2.0': 422 Validation Failed: tag_name custom"
            ),
        ])
    func answers(status: Int, body: String, message: String) throws {
        let fixture = try PublishFixture()
        fixture.gitHub.fault { _, _ in .answer(LoopbackAnswer(status, body)) }
        let failure = fixture.refusal()
        let server = try #require(fixture.gitHub.environment["GITHUB_API_URL"])
        #expect(failure?.message.replacing(server, with: "<server>") == message)
        #expect(fixture.gitHub.state.log.count == (status == 500 ? 5 : 1))
    }

    /// The headers and text of an error, and the pause before the next request.
    @Test(
        arguments: [
            (429, ["Retry-After": "7"], "", 7), (403, ["Retry-After": "3"], "", 3),
            (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795262410"], "", 11),
            (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-9223372036854775808"], "", 1),
            (403, [:], "{\"message\":\"You have exceeded a secondary rate limit\"}", 60),
        ] as [(Int, [String: String], String, Int)])
    func limitsAreWaitedFor(status: Int, headers: [String: String], body: String, seconds: Int) throws {
        let fixture = try PublishFixture()
        fixture.gitHub.fault { number, _ in
            number == 3 ? .answer(LoopbackAnswer(status, body, headers: headers)) : nil
        }
        try fixture.publish()
        #expect(fixture.waits.all == [.seconds(seconds)])
        #expect(try fixture.isWhole)
    }

    @Test(arguments: [
        ["Retry-After": "9223372036854775807"],
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9223372036854775807"],
    ])
    func aLimitWithoutEndIsNotWaitedFor(headers: [String: String]) throws {
        let fixture = try PublishFixture()
        fixture.gitHub.fault { _, _ in .answer(LoopbackAnswer(429, "{}", headers: headers)) }
        let message = fixture.refusal()?.message ?? "nothing"
        #expect(message.contains("hint: run it again in 52560"), "\(message)")
        #expect(fixture.waits.all.isEmpty)
    }

    @Test func repeatedFailuresAreReported() throws {
        let fixture = try PublishFixture()
        fixture.gitHub.fault { _, request in
            request.line.hasPrefix("POST /repos/ada/sample/releases/")
                ? .answer(LoopbackAnswer(503, #"{"message":"Unicorn"}"#)) : nil
        }
        #expect(fixture.refusal()?.message.hasPrefix("not all files are uploaded after 5 attempts") == true)
        #expect(fixture.events.messages.contains("sample-0.2.0.json: GitHub answered 503 Unicorn"))
        #expect(fixture.waits.all.count == 4)
        #expect(fixture.release?.isDraft == true)
        fixture.gitHub.beginAgain()
        try fixture.publish()
        #expect(try fixture.isWhole)
    }

    @Test func aLongLimitIsNotWaitedFor() throws {
        let fixture = try PublishFixture()
        fixture.gitHub.fault { _, _ in
            .answer(LoopbackAnswer(403, #"{"message":"API rate limit exceeded"}"#, headers: ["Retry-After": "3000"]))
        }
        #expect(fixture.refusal()?.message.hasSuffix("hint: run it again in 50 minutes") == true)
        #expect(fixture.waits.all.isEmpty)
    }

    /// The variables from which curl reads a proxy.
    private static let proxyVariables = [
        "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY",
    ]

    @Test func aProxyGetsNothingThatIsNotEncrypted() throws {
        let fixture = try PublishFixture()
        let seen = Mutex<[LoopbackRequest]>([])
        let proxy = try LoopbackServer { request in
            seen.withLock { $0.append(request) }
            return LoopbackAnswer(502, "")
        }
        proxy.start()
        defer { proxy.stop() }
        var environment = Dictionary(uniqueKeysWithValues: Self.proxyVariables.map { ($0, proxy.address) })
        try fixture.publish(environment: environment)
        #expect(try fixture.isWhole)
        #expect(seen.withLock { $0.isEmpty })

        // Encrypted requests pass through the proxy, which cannot read the token.
        environment["GITHUB_API_URL"] = "https://api.example.com"
        #expect(fixture.refusal(environment: environment) != nil)
        let requests = seen.withLock { $0 }
        #expect(requests.contains { $0.line.hasPrefix("CONNECT api.example.com:443") })
        for request in requests {
            #expect(request.method == "CONNECT")
            #expect(!"\(request)".contains(FakeGitHub.token))
        }
    }

    /// A branch may have the name of the tag.
    @Test func theCommandThatPushesTheTagWorks() throws {
        let fixture = try PublishFixture()
        let repository = fixture.repository
        try repository.shell("git init -q --bare ../remote.git; git remote add origin ../remote.git; git branch 0.2.0")
        fixture.gitHub.state.tags = [:]
        let message = try #require(fixture.refusal()?.message)
        let command = try #require(message.split(separator: "push it: ").last)
        try repository.shell(String(command))
        #expect(
            try repository.git("ls-remote origin 'refs/tags/0.2.0'").hasPrefix(
                repository.git("rev-parse refs/tags/0.2.0")))
    }

    @Test func aMovedRepositoryIsFollowed() throws {
        let fixture = try PublishFixture()
        let address = fixture.gitHub.address
        fixture.gitHub.fault { _, request in
            guard request.path.hasPrefix("/repos/old/name") else { return nil }
            let target = address + request.target.replacing("/repos/old/name", with: "/repos/ada/sample")
            return .answer(LoopbackAnswer(request.method == "GET" ? 301 : 307, "", headers: ["Location": target]))
        }
        try fixture.publish(["repository": .string("old/name")])
        #expect(try fixture.isWhole)
    }

    @Test func anUnsignedTagIsNotPublished() throws {
        let fixture = try PublishFixture()
        try fixture.repository.git("config tag.gpgSign true")
        #expect(
            fixture.refusal()?.message
                == "the tag '0.2.0' is not signed, but git's setting 'tag.gpgSign' requires it"
                + "\nhint: git tag --sign --force 0.2.0 0.2.0^{}")
        #expect(fixture.gitHub.state.log.isEmpty)
    }
}
