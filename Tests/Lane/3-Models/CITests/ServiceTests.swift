import CI
import TestSupport
import Testing
import Text
import YAML

/// Tests of details of each service.
@Suite struct ServiceTests {
    private func node(_ path: String, _ files: [GeneratedFile]) throws -> YAMLNode {
        let file = try #require(files.first { $0.path == path })
        return try #require(YAMLParser.parse(SourceFile(path: path, text: file.text)).node)
    }

    @Test("A secret that an Azure pipeline does not define is unset")
    func undefinedSecret() throws {
        let lane = "secrets: [TOKEN, KEY]\nsteps: [run: date]\n"
        let files = try files(
            "services: [azure]\nlane: ./lane\njobs: { a: { lanes: [a] } }\n",
            lanes: [SourceFile(path: "Lanes/a.yml", text: lane)])
        let steps = try #require(node("ci/azure-pipelines.yml", files)["jobs"]?.sequence?.first?["steps"]?.sequence)
        let step = try #require(steps.last)
        #expect(step["env"]?["TOKEN"]?.scalar?.text == "$(TOKEN)")
        let shell = try GitFixture()
        try shell.write("#!/bin/sh\necho \"${TOKEN-none} ${KEY-none}\"\n", to: "lane")
        try shell.write(try #require(step["script"]?.scalar?.text), to: "script")
        // The service does not replace this text in the script.
        #expect(
            try shell.shell("cat script") == #"""
                [ "$TOKEN" != "\$""(TOKEN)" ] || unset TOKEN
                [ "$KEY" != "\$""(KEY)" ] || unset KEY
                ./lane a
                """#)
        #expect(try shell.shell("chmod +x lane; TOKEN='$(TOKEN)' KEY='$x' bash -eu script") == "none $x")
    }

    @Test("A secret is passed only to the steps of lanes that declare it")
    func secretsOfLanes() throws {
        let lanes = ["a: secrets: [TOKEN]", "b:", "c: secrets: [KEY]"].map { text in
            SourceFile(path: "Lanes/\(text.prefix(1)).yml", text: "\(text.dropFirst(3))\nsteps: [run: date]\n")
        }
        let files = try files("services: [github, azure]\njobs: { x: { lanes: [a, b, c] } }\n", lanes: lanes)
        let github = try #require(node(".github/workflows/ci.yml", files)["jobs"]?["x"]?["steps"]?.sequence)
        let azure = try #require(node("ci/azure-pipelines.yml", files)["jobs"]?.sequence?.first?["steps"]?.sequence)
        for steps in [github, azure] {
            let found = steps.compactMap { step in step["env"]?.members?.map(\.name) }
            #expect(found == [["TOKEN"], ["KEY"]], "\(found)")
        }
    }

    @Test("Jobs of a repository with submodules check them out, and git trusts them", arguments: [false, true])
    func submodules(_ hasSubmodules: Bool) throws {
        let repository = try GitFixture()
        if hasSubmodules { try repository.write("", to: ".gitmodules") }
        try repository.write("", to: "shape/Package.swift")
        let location = RepositorySurroundings(of: "\(repository.path)/shape").location
        #expect(location.hasSubmodules == hasSubmodules)
        let files = try files(
            "services: [github, circleci, azure]\njobs: { a: { lanes: [test] } }\n", location: location)
        for file in files {
            let found = ["submodules: recursive", "git submodule update --init --recursive", "safe.directory '*'"]
                .filter { file.text.contains($0) }
            let expected = file.path.contains("circleci") ? [1] : [0, 2]
            #expect(found.count == (hasSubmodules ? expected.count : 0), "\(file.path): \(file.text)")
        }
    }

    @Test("macOS jobs select the newest Xcode after the checkout")
    func xcode() throws {
        let files = try files("services: [github, azure]\njobs: { a: { lanes: [test], os: macos } }\n")
        let github = try #require(node(".github/workflows/ci.yml", files)["jobs"]?["a"]?["steps"]?.sequence)
        let azure = try #require(node("ci/azure-pipelines.yml", files)["jobs"]?.sequence?.first?["steps"]?.sequence)
        let script = try #require(github[1]["run"]?.scalar?.text)
        #expect(azure[1]["script"]?.scalar?.text == script)
        let shell = try GitFixture()
        for name in ["Xcode_16.4", "Xcode_26.1.1", "Xcode_26.2_beta", "Xcode_9.2", "Xcode"] {
            try shell.write("", to: "Applications/\(name).app/Contents/x")
        }
        try shell.write("#!/bin/sh\necho \"$@\"\n", to: "bin/sudo")
        try shell.write("#!/bin/sh\n", to: "bin/swift")
        let here = script.replacing("/Applications/", with: "\(shell.path)/Applications/")
        try shell.write(here, to: "script")
        let said = try shell.shell("chmod +x bin/*; PATH=$PWD/bin:$PATH bash -e script")
        #expect(said == "xcode-select --switch \(shell.path)/Applications/Xcode_26.1.1.app")
    }

    @Test("lane is fetched and built in separate steps before it is used")
    func toolSteps() throws {
        let tool = CITool(version: "1.2.3", repository: "https://host.test/lane.git")
        for location in [PackageLocation(), PackageLocation(directory: "a/b")] {
            let files = try files("services: [github, azure, circleci]\n", tool: tool, location: location)
            let up = location.directory.isEmpty ? "" : "../../"
            for file in files {
                let steps = file.text.split(separator: "\n").map { $0.trimmingBlanks }
                let fetch = try #require(steps.firstIndex { $0.contains("Fetch lane 1.2.3") })
                let build = try #require(steps.firstIndex { $0.contains("Build lane") })
                let first = try #require(
                    steps.firstIndex {
                        $0.contains("\(up).build/lane-source/ci/lane ci stamp")
                            || $0.contains("\(up).build/lane-source/ci/lane release")
                    })
                #expect(fetch < build && build < first)
                #expect(file.text.contains("--branch 1.2.3 https://host.test/lane.git \(up).build/lane-source"))
                #expect(
                    file.text.contains("path: .build/lane-source\n")
                        == (file.path != ".circleci/config.yml"
                            && !file.path.hasSuffix("release.yml")),
                    "\(file.path)")
            }
        }
        // Nothing is built if a command is configured.
        #expect(try !files("lane: bin/lane", tool: tool)[0].text.contains("Build lane"))
    }

    @Test(
        "A released program is downloaded if its checksum is known, and lane is cloned if that fails",
        arguments: [true, false])
    func releasedTool(isSound: Bool) throws {
        let shell = try GitFixture()
        let name = "lane-1.2.3-linux-x86_64"
        try shell.write("#!/bin/sh\necho 1.2.3\n", to: "\(name)/bin/lane")
        try shell.write("#!/bin/sh\necho Linux x86_64\n", to: "bin/uname")
        try shell.write("#!/bin/sh\nfor last; do :; done; echo \"$last\" >&2; cp lane.tar.gz \"$5\"\n", to: "bin/curl")
        try shell.write("#!/bin/sh\necho clone\n", to: "bin/git")
        let sum = try shell.shell(
            "chmod +x bin/* \(name)/bin/lane; tar -czf lane.tar.gz \(name); sha256sum lane.tar.gz | cut -c 1-64")
        if !isSound { try shell.write("other", to: "lane.tar.gz") }
        let lane = "lane: { repository: 'https://host.test/lane.git', version: 1.2.3, sha256: \(sum) }\n"
        let workflow = YAMLParser.parse(SourceFile(path: "ci.yml", text: try files(lane)[0].text)).node
        let steps = try #require(workflow?["jobs"]?.members?.first?.value["steps"]?.sequence)
        let script = try #require(steps.first { $0["name"]?.scalar?.text == "Fetch lane 1.2.3" }?["run"]?.scalar?.text)
        #expect(
            redacted(script) == """
                [ -d .build/lane-source ] || {
                  [ "$(uname -sm)" = 'Linux x86_64' ] &&
                  { command -v curl >/dev/null || { apt-get -qq update && apt-get -qq install --yes --no-install-recommends curl ca-certificates; }; } &&
                  mkdir -p .build/lane-source.new/ci &&
                  curl -fsSL --retry 3 -o .build/lane-source.new/lane.tar.gz https://host.test/lane/releases/download/1.2.3/lane-1.2.3-linux-x86_64.tar.gz &&
                  echo '<hash>  .build/lane-source.new/lane.tar.gz' | sha256sum -c --quiet - &&
                  tar -xzf .build/lane-source.new/lane.tar.gz -C .build/lane-source.new/ci --strip-components 2 lane-1.2.3-linux-x86_64/bin/lane &&
                  rm .build/lane-source.new/lane.tar.gz &&
                  mv .build/lane-source.new .build/lane-source
                } || {
                  rm -rf .build/lane-source .build/lane-source.new
                  git -c advice.detachedHead=false clone --quiet --depth 1 --branch 1.2.3 https://host.test/lane.git .build/lane-source
                }
                """)
        try shell.write(script, to: "fetch")
        let said = try shell.shell(
            "PATH=$PWD/bin:$PATH sh fetch 2>/dev/null; [ ! -x .build/lane-source/ci/lane ] || .build/lane-source/ci/lane"
        )
        #expect(said.split(separator: "\n").last == (isSound ? "1.2.3" : "clone"))
        #expect(try shell.shell("ls .build") == (isSound ? "lane-source" : ""))
    }

    @Test("Packages of one repository share only the cache of lane")
    func sharedToolCache() throws {
        let tool = CITool(version: "1.2.3", repository: "https://host.test/lane.git")
        var keys: [String: Set<Substring>] = [:]
        for directory in ["", "a", "b/c"] {
            let files = try files(
                "services: [github, azure, circleci]\n", tool: tool, location: PackageLocation(directory: directory))
            for file in files where !file.path.hasSuffix("release.yml") {
                let lines = file.text.split(separator: "\n").filter { $0.contains("lane-1.2.3") }
                keys[
                    file.path.hasPrefix(".github") ? "github" : file.path.hasPrefix(".circleci") ? "circle" : "azure",
                    default: []
                ]
                .formUnion(lines.map { $0.drop { $0 == " " || $0 == "-" } })
            }
        }
        #expect(keys.count == 3 && keys["github"]?.count == 1 && keys["azure"]?.count == 1, "\(keys)")
        #expect(keys["circle"]?.count == 2, "\(keys)")
    }

    @Test("A pull request saves a missing cache, and restores the cache of another manifest")
    func pullRequestCaches() throws {
        let configuration = "services: [github, azure, circleci]\njobs: { a: { lanes: [test], on: pull-request } }\n"
        let files = try files(configuration)
        let steps = try #require(node(".github/workflows/ci.yml", files)["jobs"]?["a"]?["steps"]?.sequence)
        let save = try #require(steps.last)
        #expect(save["uses"]?.scalar?.text.hasPrefix("actions/cache/save@") == true)
        #expect(
            save["if"]?.scalar?.text
                == "${{ steps.cache.outputs.cache-matched-key == '' || github.event_name == 'push' && steps.cache.outputs.cache-hit != 'true' }}"
        )
        let restore = try #require(steps.first { $0["id"]?.scalar?.text == "cache" })
        let keys = try #require(restore["with"]?["restore-keys"]?.scalar?.text).split(separator: "\n")
        #expect(keys.count == 2 && keys[0].hasPrefix(keys[1]) && keys[1].hasSuffix("-swift:6.3-bookworm-"), "\(keys)")
    }

    @Test(
        "Branch patterns match the same branches on all services",
        arguments: [
            ("release/**", "release/1/x", true), ("release/**", "releases", false), ("release/*", "release/1", true),
            ("v[12].x", "v1.x", true), ("main", "main2", false), ("a.b", "axb", false), ("v1?", "v", true),
        ])
    func branchPatterns(_ pattern: String, _ branch: String, _ matches: Bool) throws {
        let configuration = """
            services: [circleci]
            branches: ['\(pattern)']
            jobs: { a: { lanes: [test] }, b: { lanes: [test], on: push }, c: { lanes: [test], on: pull-request } }
            """
        let node = try node(".circleci/config.yml", files(configuration))
        let entries = try #require(node["workflows"]?["ci"]?["jobs"]?.sequence)
        let only = try #require(entries[1]["b"]?["filters"]?["branches"]?["only"]?.sequence?.first?.scalar?.text)
        #expect(entries[2]["c"]?["filters"]?["branches"]?["ignore"]?.sequence?.first?.scalar?.text == only)
        let isExpression = only.hasPrefix("/") && only.hasSuffix("/")
        if isExpression {
            let expression = try Regex(String(only.dropFirst().dropLast()))
            #expect((branch.wholeMatch(of: expression) != nil) == matches)
        } else {
            #expect((only == branch) == matches)
        }
        let save = try #require(
            node["jobs"]?["a"]?["steps"]?.sequence?.last?["when"]?["condition"]?["or"]?.sequence?.first)
        #expect((save["matches"] != nil) == isExpression && (save["equal"] != nil) == !isExpression)
    }

    @Test("Titles of jobs differ")
    func titles() throws {
        let configuration =
            "jobs: { linux: { lanes: [test] }, apple: { lanes: [test], os: macos }, x: { lanes: [build], name: Run the tests } }\n"
        let jobs = try #require(node(".github/workflows/ci.yml", files(configuration))["jobs"]?.members)
        let titles = jobs.compactMap { $0.value["name"]?.scalar?.text }
        #expect(titles == ["Run the tests (linux)", "Run the tests (apple)", "Run the tests", "All green"])
    }

    @Test("An image may have a digest")
    func digest() throws {
        let image = "swift:6.3-bookworm@sha256:" + String(repeating: "0f", count: 32)
        let files = try files("services: [github, azure, circleci]\nimage: \(image)\n")
        #expect(files.allSatisfy { $0.text.contains(image) })
    }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String { String(drop { $0 == " " || $0 == "-" }) }
}
