import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Release

@Suite(.startsPrograms, .enabled(if: hasTool("curl"), "needs curl")) struct PublishTests {
    @Test func aReleaseIsADraftUntilAllItsFilesAreThere() throws {
        let fixture = try PublishFixture()
        let planned = PublishAction().forecast(
            of: Settings(["to": .string("github")]),
            in: fixture.repository.context(settings: fixture.gitHub.environment),
            after: ["tag": .string("0.2.0"), "version": .string("0.2.0")])
        let result = try fixture.publish()
        #expect(try fixture.isWhole)
        let release = try #require(fixture.release)
        #expect(release.name == "0.2.0")
        #expect(release.body == "### Added\n\n- Corners\n\n<!-- made by lane -->\n")
        #expect(release.latest == "true")
        #expect(!release.isPrerelease)
        #expect(result.outputs["url"] == .string("https://github.com/ada/sample/releases/1"))
        let lines = fixture.gitHub.state.log.map(\.line)
        let address = fixture.gitHub.environment["GITHUB_API_URL"] ?? ""
        #expect(
            planned.details
                == lines.map { line -> ForecastDetail in
                    let words = line.replacing("releases/1", with: "releases/ID").split(separator: " ")
                    return .request("\(words[0]) \(address)\(words[1])")
                })
        #expect(
            lines == [
                "GET /repos/ada/sample/git/ref/tags/0.2.0", "GET /repos/ada/sample/releases/tags/0.2.0",
                "GET /repos/ada/sample/releases?per_page=100", "POST /repos/ada/sample/releases",
                "GET /repos/ada/sample/releases/1/assets?per_page=100",
                "POST /repos/ada/sample/releases/1/assets?name=sample-0.2.0-linux.tar.gz",
                "POST /repos/ada/sample/releases/1/assets?name=sample-0.2.0-linux.tar.gz.sha256",
                "POST /repos/ada/sample/releases/1/assets?name=sample-0.2.0.json",
                "GET /repos/ada/sample/releases/1/assets?per_page=100", "PATCH /repos/ada/sample/releases/1",
            ])
        let upload = try #require(fixture.gitHub.state.log.first { $0.line.hasSuffix("linux.tar.gz") })
        #expect(upload.headers["content-type"] == "application/gzip")
        #expect(upload.headers["content-length"] == "8")
    }

    @Test func completeReleasesAreNotChanged() throws {
        let fixture = try PublishFixture()
        try fixture.publish()
        fixture.gitHub.beginAgain()
        let again = try fixture.publish()
        #expect(again.skipReason?.hasPrefix("the release is public with all its files") == true)
        #expect(fixture.gitHub.state.writes == 0)
    }

    /// The ways in which requests fail, each with the requests that fail in this way.
    ///
    /// Each request fails once before and once after the server has done its work: every second one without an answer, and
    /// the others with the status 502.
    enum Fault: String, CaseIterable {
        case noAnswer, lostAnswer, badGateway, badGatewayAfterwards, halfUpload, killed

        func applies(to number: Int, _ request: LoopbackRequest) -> Bool {
            switch self {
            case .noAnswer, .lostAnswer: number.isMultiple(of: 2)
            case .badGateway, .badGatewayAfterwards: !number.isMultiple(of: 2)
            case .halfUpload: request.method == "POST" && request.path.hasSuffix("/assets")
            case .killed: true
            }
        }
    }

    /// The outcome of each request, in order. After a failure, the command runs again. Once more, it changes nothing. A normal
    /// run fails two requests of each kind, and `LANE_PROPERTY_CASES=10x` each of them.
    @Test(arguments: Fault.allCases)
    func anyRequestMayFail(_ kind: Fault) throws {
        let trial = try PublishFixture()
        try trial.publish()
        let requests = trial.gitHub.state.log.enumerated().filter { kind.applies(to: $0.offset, $0.element) }
        #expect(requests.count >= 3)
        let cases = PropertySettings(name: "anyRequestMayFail", cases: 2).cases
        for index in stride(from: 0, to: requests.count, by: (requests.count + cases - 1) / cases) {
            let moment = requests[index].offset
            let fixture = try PublishFixture(trial.repository)
            fixture.gitHub.fault { number, _ in
                guard number >= moment else { return nil }
                // A killed process sends no further request.
                guard number == moment else { return kind == .killed ? .hangUp : nil }
                return switch kind {
                case .noAnswer: .hangUp
                case .lostAnswer, .killed: .loseAnswer
                case .badGateway: .answer(LoopbackAnswer(502))
                case .badGatewayAfterwards: .failAfterwards
                case .halfUpload: .keepHalf
                }
            }
            let failure = fixture.refusal()
            #expect((failure != nil) == (kind == .killed), "\(moment): \(failure?.message ?? "")")
            if failure != nil {
                fixture.gitHub.beginAgain()
                try fixture.publish()
            }
            #expect(try fixture.isWhole, "\(moment)")
            fixture.gitHub.beginAgain()
            try fixture.publish()
            #expect(fixture.gitHub.state.writes == 0, "\(moment)")
        }
    }

    @Test func differentFilesAreReplacedOnlyInOwnDrafts() throws {
        let fixture = try PublishFixture()
        try fixture.publish(["draft": .bool(true)])
        #expect(fixture.release?.isDraft == true)
        try fixture.spoilArchive()
        try fixture.publish()
        #expect(try fixture.isWhole)

        try fixture.spoilArchive()
        fixture.gitHub.beginAgain()
        let failure = try #require(fixture.refusal())
        #expect(failure.status == 65)
        #expect(failure.message == Self.differentContent)
        #expect(fixture.gitHub.state.writes == 0)
        try fixture.publish(["replace": .bool(true)])
        #expect(try fixture.isWhole)
    }

    private static let differentContent = """
        'sample-0.2.0-linux.tar.gz' is in the release with different content: expected the SHA-256 \
        371e16ce98051a3ea7af3eaef8b87d69033154fb5bb33da349d611f0fae061d6, found \
        5c1f30e5f037be631bf54f0b521304c77bb439bfe90f7839b885a1b5099c724c
        hint: set 'replace: true' to replace the files of https://github.com/ada/sample/releases/1
        """

    @Test func withoutDigestsTheBytesDecide() throws {
        let fixture = try PublishFixture()
        try fixture.publish()
        fixture.gitHub.state.tellsDigests = false
        fixture.gitHub.beginAgain()
        #expect(try fixture.publish().skipReason != nil)
        let downloads = fixture.gitHub.state.log.filter { $0.path.hasPrefix("/storage/") }
        #expect(downloads.count == 3)
        #expect(downloads.allSatisfy { $0.headers["authorization"] == nil })
        try fixture.spoilArchive()
        #expect(fixture.refusal()?.message == Self.differentContent)
    }

    @Test func draftsAreFoundOnAnyPage() throws {
        let fixture = try PublishFixture()
        try fixture.publish(["draft": .bool(true)])
        for number in 0..<4 {
            let id = fixture.gitHub.state.takeID()
            fixture.gitHub.state.releases.append(
                FakeGitHub.Release(id: id, tag: "0.0.\(number)"))
        }
        fixture.gitHub.state.pageSize = 2
        fixture.gitHub.beginAgain()
        try fixture.publish()
        #expect(fixture.gitHub.state.writes == 1)
        #expect(fixture.release?.isDraft == false)
    }

    @Test func ofTwoDraftsTheEmptyOneGoes() throws {
        let fixture = try PublishFixture()
        try fixture.publish(["draft": .bool(true)])
        let body = try #require(fixture.release?.body)
        fixture.gitHub.state.releases.append(FakeGitHub.Release(id: 77, tag: "0.2.0", body: body, isDraft: true))
        try fixture.publish()
        #expect(try fixture.isWhole)

        let other = try PublishFixture()
        for id in [5, 6] {
            other.gitHub.state.releases.append(
                FakeGitHub.Release(id: id, tag: "0.2.0", body: "theirs", isDraft: true))
        }
        #expect(
            other.refusal()?.message == """
                'ada/sample' has 2 drafts of '0.2.0'
                hint: remove all but one: https://github.com/ada/sample/releases/6 and \
                https://github.com/ada/sample/releases/5
                """)
        #expect(other.gitHub.state.writes == 0)
    }

    @Test func draftsOfOthersKeepTheirText() throws {
        let fixture = try PublishFixture()
        fixture.gitHub.state.releases.append(
            FakeGitHub.Release(id: 9, tag: "0.2.0", name: "Corners", body: "Written by hand", isDraft: true))
        try fixture.publish()
        #expect(try fixture.isWhole)
        #expect(fixture.release?.body == "Written by hand")
        #expect(fixture.release?.name == "Corners")
    }

    @Test func immutableReleasesAreErrors() throws {
        let fixture = try PublishFixture()
        try fixture.publish()
        fixture.gitHub.state.isImmutable = true
        fixture.gitHub.state.releases[0].assets.removeLast()
        let failure = try #require(fixture.refusal())
        #expect(
            failure.message
                == "the release of '0.2.0' is immutable and lacks 'sample-0.2.0.json'\nhint: release a new version")
    }

    /// The user's configuration neither forces a push nor adds tags to it.
    @Test(arguments: [false, true]) func nothingElseIsPushedAndNothingByForce(hasDiverged: Bool) throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell(
            """
            git init -q --bare ../remote.git; git remote add origin ../remote.git
            \(hasDiverged ? "git push -q origin $(git commit-tree -m other HEAD^{tree}):refs/heads/main" : "")
            git config remote.origin.push '+refs/heads/*:refs/heads/*'; git config push.followTags true
            git tag -a mine -m mine
            """)
        let before = try fixture.repository.git("ls-remote origin")
        let settings: [String: Value] = ["push": .bool(true), "repository": .string("ada/sample")]
        if hasDiverged {
            #expect(
                fixture.refusal(settings)?.message == """
                    'origin' has commits in 'main' that are not in this repository, so nothing was pushed; the release \
                    '0.2.0' exists only in this repository
                    hint: git pull --no-rebase origin main, and run the same command with --resume; after --rebase it \
                    makes the release again; 'lane release --abort' undoes it
                    """)
            #expect(try fixture.repository.git("ls-remote origin") == before)
        } else {
            try fixture.publish(settings)
            let pushed = try fixture.repository.git("ls-remote --refs origin | cut -f2 | tr '\\n' ' '")
            #expect(pushed == "refs/heads/main refs/tags/0.2.0 ")
        }
    }

    @Test func prereleasesAndOlderBranchesAreNotTheLatest() throws {
        let fixture = try PublishFixture()
        try fixture.repository.shell("git tag 0.3.0; echo x > dist/x.txt")
        fixture.gitHub.state.tags["0.2.0-rc.1"] = try fixture.repository.git("rev-parse 0.2.0-rc.1")
        try fixture.publish(["tag": .string("0.2.0")])
        try fixture.publish(["tag": .string("0.2.0-rc.1"), "files": .string("dist/x.txt"), "notes": .string("Try it")])
        #expect(fixture.gitHub.state.releases.map(\.latest) == ["false", "false"])
        #expect(fixture.gitHub.state.releases.map(\.isPrerelease) == [false, true])
        #expect(fixture.gitHub.state.releases[1].assets.map(\.name) == ["x.txt"])
        #expect(fixture.gitHub.state.releases[1].body.hasPrefix("Try it\n"))
    }
}
