import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import Release
import TestSupport
import Testing
import Versioning

@Suite(.startsPrograms) struct ReleaseStepsTests {
    /// The steps of a release without tests and packages.
    private func release(_ version: String, in fixture: GitFixture) throws {
        let transaction = try fixture.begin()
        let parameters: [String: Value] = ["version": .string(version)]
        func step(_ action: any StepAction, _ values: [String: Value] = [:]) throws {
            try fixture.run(action, values, parameters: parameters, transaction: transaction)
        }
        defer { transaction.abandon() }
        try step(RequireAction(), ["clean": .bool(true), "branch": .string("main"), "version": .string(version)])
        try step(BumpAction(), ["version": .string(version)])
        try step(ChangelogAction())
        try step(CommitAction())
        try step(TagAction())
        try transaction.commit()
    }

    @Test func aWholeRelease() throws {
        let fixture = try GitFixture.package()
        try release("0.2.0", in: fixture)
        #expect(try fixture.git("status --porcelain") == "")
        #expect(try fixture.git("log -1 --format=%s") == "Release 0.2.0")
        #expect(try fixture.git("describe") == "0.2.0")
        #expect(try fixture.git("tag -l --format='%(contents:subject)' 0.2.0") == "Release 0.2.0")
        #expect(
            try fixture.git("tag -l --format='%(contents:body)' 0.2.0") == """
                ### Changed

                - Begin

                """)
        #expect(
            try fixture.read("Shape.podspec") == """
                Pod::Spec.new do |s|
                  s.version = '0.2.0'
                end

                """)

        let failure = #expect(throws: OperationFailure.self) { try release("0.1.0", in: fixture) }
        #expect(failure?.message == "0.1.0 is not greater than the last release, 0.2.0")
        try fixture.commit("feat: more")
        try release("minor", in: fixture)
        #expect(try fixture.git("describe") == "0.3.0")
        try fixture.commit("fix: less")
        try release("prerelease", in: fixture)
        #expect(try fixture.git("describe") == "0.3.1-rc.1")
        try fixture.commit("fix: none")
        try release("patch", in: fixture)
        #expect(try fixture.git("describe") == "0.3.1")
    }

    @Test func aPackageWithNothingButTags() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"plain\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag v1.2.3")
        try fixture.commit("feat: more")
        try release("minor", in: fixture)
        #expect(try fixture.git("describe") == "v1.3.0")
        #expect(try fixture.read("CHANGELOG.md").contains("- More"))

        // Neither a file nor a parameter contains the version that the commits require.
        try fixture.commit("fix: less")
        try release("", in: fixture)
        #expect(try fixture.git("describe") == "v1.3.1")
        #expect(try fixture.git("log -1 --format=%s") == "Release 1.3.1")
        #expect(try fixture.read("CHANGELOG.md").contains("## [1.3.1]"))
    }

    /// Each of these values once caused a failed release or a wrong message.
    @Test(arguments: [
        "touch HEAD", "git config i18n.logOutputEncoding ISO-8859-1", "git config i18n.commitEncoding ISO-8859-1",
    ])
    func userConfigurationIsIgnored(setUp: String) throws {
        let fixture = try GitFixture.package()
        try fixture.shell(setUp)
        try fixture.shell("git add -A; git -c i18n.commitEncoding=UTF-8 commit -q --allow-empty -m 'feat: Grüße'")
        try release("0.2.0", in: fixture)
        #expect(try fixture.read("CHANGELOG.md").contains("- Grüße\n"))
        #expect(try fixture.git("-c i18n.logOutputEncoding=UTF-8 cat-file -p HEAD").contains("encoding") == false)
        #expect(try fixture.git("describe") == "0.2.0")
    }

    @Test func variablesForOtherCallsOfGitChangeNothing() throws {
        let fixture = try GitFixture.package()
        try fixture.write("more", to: "more.txt")
        try fixture.run(
            CommitAction(), ["message": .string("More")],
            environment: ["GIT_LITERAL_PATHSPECS": "1", "GIT_SHALLOW_FILE": "/nonexistent", "GIT_CONFIG": "/dev/null"])
        #expect(try fixture.git("log -1 --format=%s") == "More")
    }

    @Test func plansReadVersionFactsOnce() throws {
        let fixture = try GitFixture.package()
        let processes = CountingProcesses()
        let context = fixture.context(processes: processes)
        let forecast = RequireAction().forecast(
            of: Settings(["version": .string("minor")]), in: context, after: [:])
        #expect(forecast.summary == "require that 0.2.0 (minor after 0.1.0) can be released from 'main'")
        #expect(forecast.obstacles == [])
        #expect(processes.calls.filter { $0.last == "refs/tags" }.count == 1, "\(processes.calls)")
    }

    @Test func releasesOnOtherBranchesAreReported() throws {
        let fixture = try GitFixture("beside")
        try fixture.write("", to: "a.txt")
        try fixture.commit("Begin")
        try fixture.git("tag 0.1.0")
        try fixture.shell(
            "git switch -qc release/1; git commit -q --allow-empty -m Release; git tag 1.1.1; git switch -q main")
        let refusal = fixture.refusal(of: RequireAction(), ["version": .string("minor")])
        #expect(
            refusal?.message.hasPrefix(
                "0.2.0 is not greater than 1.1.1, because HEAD is not a descendant of the tag '1.1.1'") == true)
        // The branch is a line of older releases.
        try fixture.git("switch -qc 0.x")
        let events = RecordedEvents()
        try fixture.run(RequireAction(), ["version": .string("minor")], events: events)
        #expect(events.messages == ["0.2.0 is relative to '0.1.0', because HEAD is not a descendant of '1.1.1'"])
        let silent = RecordedEvents()
        try fixture.run(RequireAction(), ["version": .string("0.2.0")], events: silent)
        #expect(silent.messages.isEmpty)
        // Users of 1.1.2 expect the fixes of 1.1.1, which were not merged.
        let above = RecordedEvents()
        try fixture.run(RequireAction(), ["version": .string("1.1.2")], events: above)
        #expect(above.messages == ["1.1.2 lacks the changes of '1.1.1', because HEAD is not a descendant of it"])
    }

    /// The address of a remote, the variables, and the error.
    @Test(
        "The destination of a release is checked before anything changes",
        arguments: [
            (
                nil, [:],
                "there is no remote 'origin' to publish to\nhint: git remote add origin ADDRESS, or set GITHUB_REPOSITORY to owner/name"
            ),
            (nil, ["GITHUB_REPOSITORY": "ada/sample"], nil),
            (nil, ["GITHUB_REPOSITORY": "sample"], "expected a repository as owner/name, found 'sample'"),
            ("git@github.com:ada/sample.git", [:], nil),
            (
                "/srv/sample.git", [:],
                "the remote 'origin' has no owner and name\nhint: set GITHUB_REPOSITORY to owner/name"
            ),
            (
                "https://gitlab.example.com/ada/sample.git", [:],
                """
                the remote 'origin' is on 'gitlab.example.com', not on github.com
                hint: for GitHub Enterprise, set GITHUB_API_URL to https://gitlab.example.com/api/v3
                """
            ),
        ] as [(String?, [String: String], String?)])
    func publishingTarget(remote: String?, environment: [String: String], message: String?) throws {
        let fixture = try GitFixture.package()
        if let remote { try fixture.git("remote add origin \(remote)") }
        // The remote that answers is a directory.
        try fixture.shell(
            "git init -q --bare ../remote; git config url.$PWD/../remote.pushInsteadOf git@github.com:ada/sample.git")
        let settings: [String: Value] = ["publish-to": .string("github")]
        let variables = environment.merging(["GITHUB_API_URL": ""]) { $1 }
        let failure = fixture.refusal(of: RequireAction(), settings, environment: variables)
        let forecast = RequireAction().forecast(
            of: Settings(settings), in: fixture.context(settings: variables), after: [:])
        guard let message else {
            #expect(failure == nil && forecast.obstacles == [])
            return
        }
        #expect(failure?.status == 65)
        #expect(failure?.message == message)
        #expect(forecast.obstacles == [message])
    }

    @Test func withoutATokenThereIsANote() throws {
        let fixture = try GitFixture.package()
        let settings: [String: Value] = ["publish-to": .string("github"), "token": .string("KEY")]
        let variables = ["GITHUB_REPOSITORY": "ada/sample", "GITHUB_TOKEN": "of another step"]
        let events = RecordedEvents()
        try fixture.run(RequireAction(), settings, events: events, environment: variables)
        #expect(events.messages == ["GitHub was not asked about 'ada/sample': KEY has no value"])
        let plan = RequireAction().forecast(
            of: Settings(settings), in: fixture.context(settings: variables), after: [:])
        #expect(plan.notes == events.messages)
    }

    /// GitHub asks which one is meant if a branch and a tag have one name, instead of sending the archive.
    @Test func aRemoteBranchWithTheNameOfTheTagIsReported() throws {
        let fixture = try GitFixture.package()
        try fixture.shell(
            "git init -q --bare ../remote; git remote add origin ../remote; git push -q origin main main:refs/heads/0.2.0"
        )
        let settings: [String: Value] = ["publish-to": .string("github"), "version": .string("0.2.0")]
        let events = RecordedEvents()
        try fixture.run(RequireAction(), settings, events: events, environment: ["GITHUB_REPOSITORY": "ada/sample"])
        let message = """
            'origin' has a branch '0.2.0', so the name of the tag is ambiguous there
            hint: rename the branch there, for example to 'release-0.2.0'
            """
        #expect(events.messages.contains(message), "\(events.messages)")
        try fixture.git("push -q origin --delete refs/heads/0.2.0")
        let silent = RecordedEvents()
        try fixture.run(RequireAction(), settings, events: silent, environment: ["GITHUB_REPOSITORY": "ada/sample"])
        #expect(!silent.messages.contains(message))
    }

    /// The remote is asked about the version that the proven breaks require.
    @Test func provenBreaksDecideWhichTagIsLookedFor() throws {
        let fixture = try GitFixture.package()
        try fixture.shell(
            """
            git tag 1.0.0; git commit -q --allow-empty -m 'fix: An edge'; git init -q --bare ../remote
            git remote add origin ../remote; git push -q origin main main:refs/heads/1.0.1 main:refs/heads/2.0.0
            """)
        let settings: [String: Value] = ["publish-to": .string("github"), "version": .string("auto")]
        for (breaks, branch) in [(0, "1.0.1"), (1, "2.0.0")] {
            let (events, releases) = (RecordedEvents(), PlannedReleases())
            releases.setBreaks(breaks, report: "")
            try fixture.run(
                RequireAction(), settings, events: events, environment: ["GITHUB_REPOSITORY": "ada/sample"],
                releases: releases)
            let message = "'origin' has a branch '\(branch)', so the name of the tag is ambiguous there"
            #expect(events.messages.count { $0.hasPrefix(message) } == 1, "\(events.messages)")
        }
    }

    @Test func allProblemsAreReported() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("git tag 0.2.0; git switch -q -c side; echo x > new.txt; touch .git/MERGE_HEAD")
        let failure = fixture.refusal(
            of: RequireAction(),
            [
                "clean": .bool(true), "branch": .string("main"), "version": .string("0.2.0"),
                "tools": .list([.string("git"), .string("no-such-tool")]),
            ], environment: ["PATH": "/usr/bin"])
        #expect(
            failure?.message == """
                5 problems
                - the checkout is not clean: new.txt
                  hint: commit, stash or ignore them
                - a merge is in progress
                - expected branch 'main', found 'side'
                  hint: git switch main
                - 0.2.0 is not greater than the last release, 0.2.0
                - 'no-such-tool' is not installed, or not in PATH
                """)
        #expect(failure?.status == 65)
    }

    @Test func withoutAnIdentityNothingBegins() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("git config user.useConfigOnly true")
        let failure = fixture.refusal(
            of: RequireAction(), ["version": .string("0.2.0")], environment: ["GIT_CONFIG_GLOBAL": "/dev/null"])
        #expect(failure?.message.hasPrefix("git has no author for commits") == true)
    }

    @Test func shallowClonesDoNotKnowTheLastRelease() throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.commit("feat: more")
        try fixture.shell(
            "git clone -q --depth 1 --no-tags \"file://$PWD\" ../shallow; mv .git ../.git-full; mv ../shallow/.git .git"
        )
        let failure = fixture.refusal(of: RequireAction(), ["version": .string("0.2.0")])
        #expect(
            failure?.message
                == "the clone is shallow, so the last release is unknown\nhint: git fetch --unshallow --tags")
    }

    @Test(arguments: [
        ("6.2", "Swift version 6.2.1 (swift-6.2.1-RELEASE)", true), ("6.2", "swift 6.3", false),
        (">= 6.2", "Swift version 6.3.1", true), (">= 6.2", "Swift version 5.10", false),
        (">=2.30", "git version 2.39.5", true),
        ("6", "no number", false),
    ])
    func toolVersions(wanted: String, line: String, isMet: Bool) throws {
        let fixture = try GitFixture()
        try fixture.shell("mkdir bin; printf '#!/bin/sh\\necho \"\(line)\"\\n' > bin/tool; chmod +x bin/tool")
        let failure = fixture.refusal(
            of: RequireAction(), ["tools": .map([("tool", .string(wanted))])],
            environment: ["PATH": "\(fixture.path)/bin:/bin:/usr/bin"])
        #expect((failure == nil) == isMet, "\(failure?.message ?? "")")
    }

    @Test func checksumsInATransactionAreKept() throws {
        let fixture = try GitFixture.ready()
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        try fixture.run(
            ChecksumAction(), ["files": .string("dist/*.gz")], transaction: transaction)
        try transaction.commit()
        #expect(try fixture.shell("cd dist && sha256sum -c sample.tar.gz.sha256") == "sample.tar.gz: OK")
    }
}
