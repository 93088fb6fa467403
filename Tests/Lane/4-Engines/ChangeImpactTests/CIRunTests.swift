import TestSupport
import Testing

@testable import ChangeImpact
@testable import SwiftPackages

@Suite struct CIRunTests {
    private static let definitions = [
        ".github/workflows/ci.yml", ".github/workflows/other.yml", ".github/actions/setup/action.yml",
        ".circleci/config.yml", ".gitlab-ci.yml", ".buildkite/pipeline.yml", "ci/azure-pipelines.yml", "Jenkinsfile",
        ".teamcity/settings.kts",
    ]

    @Test func runsOfUsersAreDefinedByNoFile() {
        #expect(!Self.definitions.contains(where: CIRun.none.isDefined))
    }

    @Test(arguments: [
        (["GITHUB_ACTIONS": "true"], Array(definitions[0..<3])),
        (
            ["GITHUB_ACTIONS": "true", "GITHUB_WORKFLOW_REF": "a/b/.github/workflows/ci.yml@refs/pull/1/merge"],
            [definitions[0], definitions[2]]
        ),
        (["CIRCLECI": "true"], [definitions[3]]), (["GITLAB_CI": "true"], [definitions[4]]),
        (["BUILDKITE": "true"], [definitions[5]]), (["TF_BUILD": "True"], [definitions[6]]),
        (["JENKINS_URL": "https://ci.example"], [definitions[7]]), (["TEAMCITY_VERSION": "2025.1"], [definitions[8]]),
    ])
    func runsAreDefinedByFilesOfTheirService(_ environment: [String: String], _ expected: [String]) {
        let run = CIRun(environment: environment, repository: "/nowhere")
        #expect(Self.definitions.filter(run.isDefined) == expected)
    }

    @Test func workflowsThatOthersCallMayBePartsOfAnyRun() throws {
        let directory = try TemporaryDirectory()
        try directory.write("on: push\n", to: ".github/workflows/nightly.yml")
        try directory.write("on:\n  workflow_call:\n", to: ".github/workflows/tests.yml")
        let run = CIRun(
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_WORKFLOW_REF": "a/b/.github/workflows/ci.yml@refs/heads/main",
            ], repository: directory.path)
        #expect(!run.isDefined(by: ".github/workflows/nightly.yml"))
        #expect(run.isDefined(by: ".github/workflows/tests.yml"))
    }

    @Test func definitionsOfTheRunConcernAllTests() {
        var target = PackageGraph.Target("ATests", .test, path: "Tests/ATests")
        target.sources = ["Tests/ATests/t.swift"]
        let graph = PackageGraph(targets: [target])
        func decision(_ environment: [String: String]) -> ImpactDecision {
            ChangeImpact(
                graph: graph, sources: [:], manifest: [], ciRun: CIRun(environment: environment, repository: "/nowhere")
            ).decision(for: [".circleci/config.yml"])
        }
        #expect(
            decision(["CIRCLECI": "true"]).everything
                == "'.circleci/config.yml' may change the machine and the toolchain")
        #expect(decision([:]).modules == [])
    }
}
