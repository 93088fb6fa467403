import CI
import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

/// Returns the generated files for checked lanes.
func files(
    _ configuration: String?, tool: CITool? = nil, lanes: [SourceFile] = BuiltInLanes.sources, hasTests: Bool = true,
    hasProducts: Bool = true,
    location: PackageLocation = PackageLocation(), present: [String: String] = [:], removed: String? = nil
) throws(Diagnostics) -> [GeneratedFile] {
    let checked = LaneFiles.check(lanes, with: .samples)
    try checked.diagnostics.throwIfErrors()
    let source = configuration.map { SourceFile(path: CIPlanReader.path, text: $0) }
    let plan = CIPlan(tool: tool, hasTests: hasTests, hasProducts: hasProducts, location: location)
    return GeneratedFile.all(
        of: try CIPlanReader.plan(source, files: checked, defaults: plan), exists: { $0 != removed },
        present: { present[$0] })
}

/// Returns the names of the jobs in a file, and of other members on the second level.
func jobNames(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && $0.hasSuffix(":") }
        .map { $0.dropFirst(2).dropLast() }.map(String.init)
}

@Suite struct CIPlanTests {
    @Test("Default jobs test and archive every change, and release manually")
    func defaults() throws {
        let files = try files(nil)
        #expect(files.map(\.path) == [".github/workflows/ci.yml", ".github/workflows/release.yml"])
        for file in files {
            expectGolden(file.text, "default-\(file.path.split(separator: "/").last ?? "")")
        }
    }

    @Test("A package without lane fetches it after the setup, and caches it for all jobs")
    func fetchedTool() throws {
        let configuration = """
            services: [github, circleci, azure]
            branches: [main]
            image: swift:6.3-noble
            setup: [apt-get install libfoo-dev]
            jobs:
              test: { lanes: [test], setup: [date] }
              apple: { lanes: [test], os: macos, on: pull-request }
              release: { lanes: [release], on: manual, permissions: { contents: write } }
            """
        let tool = CITool(version: "1.2.3", repository: "https://example.com/lane.git")
        for file in try files(configuration, tool: tool) {
            expectGolden(file.text, "tool-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
        let below = PackageLocation(directory: "services/shape")
        let configured = try files("services: [circleci]", tool: tool, location: below)
        #expect(configured.first?.text.contains("- 'lane-1.2.3-{{ arch }}-swift:6.3-bookworm'") == true)
        let fork = try files("lane: { repository: https://host.test/fork.git, version: 2.0.0 }", tool: tool)
        #expect(fork[0].text.contains("--branch 2.0.0 https://host.test/fork.git .build/lane-source"))
        #expect(fork[0].text.contains("key: 'lane-2.0.0-"))
        // A package with a `ci/lane` can configure another command.
        #expect(try files("lane: { repository: https://host.test/fork.git, version: 2.0.0 }")[0].text == fork[0].text)
        let own = try files("lane: bin/lane", tool: tool)
        #expect(own.allSatisfy { $0.text.contains("bin/lane ") && !$0.text.contains("example.com/lane") })
    }

    @Test("A package without tests has no test job")
    func withoutTests() throws {
        let text = try files(nil, hasTests: false)[0].text
        #expect(!text.contains("lane test") && !text.contains("- test") && text.contains("ci/lane package"), "\(text)")
    }

    @Test("A package of plugins has no package job")
    func withoutProducts() throws {
        let text = try files(nil, hasProducts: false)[0].text
        #expect(text.contains("ci/lane test"), "\(text)")
        #expect(!text.contains("ci/lane package") && !text.contains("- package"), "\(text)")
    }

    @Test("An unpublished release is pushed")
    func releasesArePushed() throws {
        func text(_ steps: String) throws -> String {
            let lane = "transaction: true\nsecrets: [GITHUB_TOKEN]\nsteps: [{ commit: x }, tag: y]\nthen: [\(steps)]\n"
            return try files(nil, lanes: [SourceFile(path: "Lanes/release.yml", text: lane)])[0].text
        }
        let push = "git push --quiet --atomic --follow-tags origin"
        #expect(try text("run: date").contains(push))
        #expect(try !text("publish: { to: github, push: true }").contains(push))
    }

    @Test("An optional choice is optional in the form")
    func choicesCanBeOmitted() throws {
        let lane = "parameters: { to: { type: enum, values: [a, b]DEFAULT } }\nsteps: [run: date]\n"
        func options(_ more: String) throws -> Bool {
            let lanes = [SourceFile(path: "Lanes/deploy.yml", text: lane.replacing("DEFAULT", with: more))]
            let text = try files("jobs: { deploy: { lanes: [deploy], on: manual } }", lanes: lanes)[0].text
            return text.contains("options:\n          - ''\n          - a\n")
        }
        #expect(try options(""))
        #expect(try !options(", default: b") && !options(", required: true"))
    }

    @Test("All settings, for all services")
    func everything() throws {
        let deploy = """
            summary: "Put it up: to 'production'"
            secrets: [UPLOAD_TOKEN]
            timeout: 20m
            parameters:
              target: { type: enum, values: [staging, production], position: 1, default: staging, help: Where to }
              dry-run: { type: bool, default: false, help: Stop before the upload }
              verify: { type: bool, default: true, help: Look at it afterwards }
              times: { type: int, required: true, help: How often }
              note: { type: string, help: A line for the log }
            steps:
              - run: [tool]
            """
        let configuration = """
            services: [github, circleci, azure]
            branches: [main, release/next]
            image: swift:6.2-noble
            setup: [apt-get update]
            jobs:
              checks:
                lanes: [build, { lane: test }]
                os: macos
                on: [push, pull-request]
              pack-all:
                name: Pack
                lanes: [{ lane: build, parameters: { configuration: release } }, package]
                needs: [checks]
                setup: [date]
                artifacts: [dist, out/logs]
                timeout: 90s
                on: push
              trial:
                on: push
                image: swift:6.1-noble
                lanes: [{ lane: deploy, parameters: { dry-run: true, verify: false, times: 2, note: "it's; $(rm -r x) <<EOF" } }]
              deploy:
                on: manual
                lanes: [deploy]
                permissions: { contents: write, id-token: write }
                environment: production
            """
        let lanes = BuiltInLanes.sources + [SourceFile(path: "Lanes/deploy.yml", text: deploy)]
        for file in try files(configuration, lanes: lanes) {
            expectGolden(file.text, "all-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
    }

    @Test("Below the repository's root, names contain the package, and paths start at the root")
    func belowTheRoot() throws {
        let configuration = """
            services: [github, circleci, azure]
            branches: [main]
            jobs:
              pack-all:
                lanes: [test, package]
                artifacts: [dist, out/logs]
              again:
                lanes: [test]
                needs: [pack-all]
              release:
                on: manual
                lanes: [release]
                permissions: { contents: write }
            """
        let location = PackageLocation(directory: "services/shape+", dependencies: ["libs/core"])
        for file in try files(configuration, location: location) {
            expectGolden(file.text, "below-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
    }

    @Test("The changes that run the jobs can be configured")
    func paths() throws {
        func text(_ paths: String, _ location: PackageLocation) throws -> String {
            try files("paths: \(paths)\n", location: location)[0].text
        }
        let below = PackageLocation(directory: "shape")
        #expect(try !text("['**']", below).contains("paths:"))
        let paths = "    paths:\n      - shared/*.json\n      - .github/workflows/shape_ci.yml\n"
        #expect(try text("[shared/*.json]", below).contains(paths))
        #expect(try text("[Sources/**]", PackageLocation()).contains("    paths:\n      - Sources/**\n"))
    }

    @Test("The file of CircleCI contains all packages of a repository, and each replaces only its part")
    func packagesShareOneFile() throws {
        let name = ".circleci/config.yml"
        func add(_ directory: String, to text: String?, _ configuration: String = "services: [circleci]") throws
            -> String
        {
            let present = text.map { [name: $0] } ?? [:]
            let files = try files(configuration, location: PackageLocation(directory: directory), present: present)
            return try #require(files.first { $0.path == name }).text
        }
        let one = try add("a", to: nil)
        let both = try add("a/test", to: one)
        #expect(try add("a", to: try add("a/test", to: nil)) == both)
        #expect(try add("a", to: both) == both && add("a/test", to: both) == both)
        #expect(jobNames(in: both) == ["a_test", "a_package", "a_test_test", "a_test_package", "a_ci", "a_test_ci"])
        let all = try add("", to: both)
        #expect(
            jobNames(in: all) == [
                "a_test", "a_package", "a_test_test", "a_test_package", "test", "package", "a_ci", "a_test_ci", "ci",
            ])
        #expect(try add("", to: all, "services: [azure]") == both)
        #expect(try add("a/test", to: both, "services: [azure]") == one)
        #expect(try add("a", to: one, "services: [azure]") == "")
        #expect(try add("b", to: "jobs: {}\n") == add("b", to: nil))
    }

    @Test("A value is passed to its parameter if others are omitted")
    func places() throws {
        let deploy = """
            parameters:
              target: { type: string, position: 1, default: staging }
              region: { type: string, position: 2, default: north }
              careful: { type: bool, position: 3, default: true }
            steps:
              - run: [tool]
            """
        let configuration = """
            jobs:
              fixed:
                lanes: [{ lane: deploy, parameters: { region: south, careful: false } }]
              asked:
                on: manual
                lanes: [deploy]
            """
        let files = try files(configuration, lanes: [SourceFile(path: "Lanes/deploy.yml", text: deploy)])
        #expect(files[1].text.contains("ci/lane deploy --region=south --careful=false\n"))
        for name in ["target", "region", "careful"] {
            let variable = "LANE_PARAMETER_\(name.uppercased())"
            #expect(files[0].text.contains("[ -z \"$\(variable)\" ] || set -- \"$@\" \"--\(name)=$\(variable)\"\n"))
        }
    }

    @Test("A job has the secrets of all lanes that may run, whatever runs them")
    func secretsOfAllLanes() throws {
        func lane(_ name: String, _ text: String) -> SourceFile { SourceFile(path: "Lanes/\(name).yml", text: text) }
        let main = """
            needs: [a]
            steps: [{ lane: b, if: always() }, { parallel: [{ lane: c, if: ci.active }] }, { run: x }]
            then: [{ lane: d }]
            on-failure: [{ lane: e }]
            always: [{ lane: f }]
            transaction: true
            """
        var lanes = "abcdef".map { name in
            lane("\(name)", "secrets: [S_\(name.uppercased())]\nsteps: [{ run: x, secrets: [S_\(name.uppercased())] }]")
        }
        lanes.append(lane("main", main))
        let text = try files("jobs: { m: { lanes: [main], on: push } }", lanes: lanes)[0].text
        for name in "ABCDEF" { #expect(text.contains("S_\(name): ${{ secrets.S_\(name) }}"), "\(name)") }
    }

    @Test("Lanes of a form share a parameter")
    func sharedParameters() throws {
        func text(_ other: String) throws -> String {
            let lanes = [("a", "{ type: string, help: One }"), ("b", other)].map { name, parameter in
                SourceFile(path: "Lanes/\(name).yml", text: "parameters: { to: \(parameter) }\nsteps: [run: x]")
            }
            return try files("jobs: { m: { lanes: [a, b], on: manual } }", lanes: lanes)[0].text
        }
        let shared = try text("{ type: string, help: Two }")
        #expect(shared.split(separator: "\n").count { $0.hasPrefix("      to:") } == 1, "\(shared)")
        #expect(shared.split(separator: "\n").count { $0.hasSuffix("LANE_PARAMETER_TO: ${{ inputs.to }}") } == 2)
        let errors = #expect(throws: Diagnostics.self) { try text("{ type: int }") }
        #expect(errors?.all.map(\.message) == ["job 'm' asks for 'to' and for another 'to'"])
    }

    @Test("A secret is no input of a form")
    func secretParameters() throws {
        func text(_ token: String) throws -> String {
            let lane = "secrets: [TOKEN]\nparameters: { token: \(token) }\nsteps: [{ run: x, secrets: [TOKEN] }]"
            let lanes = [SourceFile(path: "Lanes/up.yml", text: lane)]
            return try files("jobs: { m: { lanes: [up], on: manual } }", lanes: lanes)[0].text
        }
        let given = try text("{ type: string, secret: true, env: TOKEN }")
        #expect(given.contains("TOKEN: ${{ secrets.TOKEN }}") && !given.contains("inputs"), "\(given)")
        let errors = #expect(throws: Diagnostics.self) { try text("{ type: string, secret: true, required: true }") }
        #expect(
            errors?.all.map(\.message) == [
                "job 'm' would show the secret 'token', because services show the inputs of forms"
            ])
    }

    @Test("A flag that has no fixed default is passed if it is off")
    func flagsThatAreOff() throws {
        let lane = """
            parameters:
              needed: { type: bool, required: true }
              variable: { type: bool, env: SWITCH }
              plain: { type: bool }
            steps: [run: x]
            """
        let configuration = """
            jobs:
              fixed: { lanes: [{ lane: l, parameters: { needed: false, variable: false, plain: false } }], on: push }
              asked: { lanes: [l], on: manual }
            """
        let files = try files(configuration, lanes: [SourceFile(path: "Lanes/l.yml", text: lane)])
        #expect(files[1].text.contains("ci/lane l --no-needed --no-variable\n"), "\(files[1].text)")
        for (name, isInverted) in [("needed", true), ("variable", true), ("plain", false)] {
            let variable = "\"$LANE_PARAMETER_\(name.uppercased())\""
            #expect(files[0].text.contains("[ \(variable) != true ] || set -- \"$@\" --\(name)\n"))
            #expect(files[0].text.contains("[ \(variable) != false ] || set -- \"$@\" --no-\(name)\n") == isInverted)
        }
    }

    @Test("The same lanes result in the same bytes")
    func stable() throws {
        #expect(try files(nil) == files(nil))
    }

    @Test("Errors of the configuration are reported with a fix")
    func mistakes() throws {
        let screens = try Self.mistakes.map { configuration in
            let errors = try #require(throws: Diagnostics.self) { try files(configuration) }
            return DiagnosticText().text(for: errors)
        }
        expectGolden(screens.joined(separator: "\n"), "mistakes.txt")
    }

    private static let mistakes = [
        "job: {}",
        "lane: { repository: https://…, version: 1.0.0 }\nstore: https://…",
        "services: [gitlab]",
        "lane: { repository: https://host.test/fork.git }",
        "jobs: { a: { lanes: [tset] } }",
        "jobs: { a: {} }",
        "jobs: { a: { lanes: [test], needs: [b] } }",
        "jobs: { 'a b': { lanes: [test] } }",
        "jobs: { a: { lanes: [{ lane: build, parameters: { configuration: fast } }] } }",
        "jobs: { a: { lanes: [test], on: [manual, push] } }",
        "jobs: { ci: { lanes: [test], on: manual } }",
        "jobs: { a: { lanes: [test], os: macos, image: swift } }",
        "jobs: { a: { lanes: ['${{ env.HOME }}'] } }",
        "jobs: { a: { lanes: [test], on: push }, b: { lanes: [test], needs: [a] } }",
        "jobs: { a: { lanes: [test] }, A: { lanes: [test] } }",
        "jobs: { a: { lanes: [test], name: x }, b: { lanes: [test], name: x } }",
        "jobs: { a: { lanes: [test], name: All green } }",
        "image: swift@sha256:12",
        "jobs: { a: { lanes: [test], image: 'swift@6.3' } }",
        "services: [circleci]\nbranches: ['!x']",
    ]
}
