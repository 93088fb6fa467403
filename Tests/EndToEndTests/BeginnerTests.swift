import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Common first mistakes are reported with a location and the next command")
    struct BeginnerTests {
        @Test("Each mistake has a golden screen", arguments: Mistake.all)
        func screens(_ mistake: Mistake) async throws {
            let package = try MiniPackage(
                lanes: mistake.lanes, keepingBuildsAs: mistake.name == "no-such-test" ? "mistake" : nil)
            let setUp = Command(
                "sh", ["-euc", mistake.setUp], environment: plainEnvironment(), directory: package.path)
            let prepared = try await capture(setUp)
            try #require(prepared.report.succeeded, "\(prepared.errorText)")
            let name = String(try #require(package.path.split(separator: "/").last))
            let run = try await BuiltTool.lane.run(
                mistake.arguments, in: "\(package.path)/\(mistake.directory)", environment: mistake.environment)
            #expect(run.report.status != 0)
            let names = [package.path: "<package>", name.lowercased(): "<package>"]
            let screen = redacted(run.text + run.errorText, replacing: names)
                // The output of SwiftPM contains a home directory and the toolchain.
                .replacing(/Git command .* failed: .*/, with: "<git>")
                .replacing(/installed version is .*/, with: "installed version is <version>")
                .replacing(/git version [0-9.]+/, with: "git version <version>")
                .replacing(/tools-version: [0-9.]+' to specify/, with: "tools-version: <version>' to specify")
            expectGolden("$ lane \(mistake.arguments.joined(separator: " "))\n\(screen)", "first-\(mistake.name).txt")
        }
    }
}

/// A mistake, or a machine without a required tool.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var lanes: [String: String] = [:]
    /// A script that runs in the package before the command.
    var setUp = ""
    /// The working directory, relative to the package.
    var directory = ""
    var environment: [String: String] = [:]

    var testDescription: String { name }

    private static let repository = "git init -q -b main; git add -A; git commit -q -m 'Mini: A greeting';"
    /// A search path without programs, so that the message does not depend on the machine.
    private static let nothingInPath = ["PATH": "/nowhere"]

    static let all = [
        Mistake(name: "no-package", arguments: ["test"], setUp: "rm Package.swift"),
        Mistake(name: "no-tests", arguments: ["test"], setUp: manifest()),
        Mistake(name: "no-toolchain", arguments: ["test"], environment: nothingInPath),
        Mistake(
            name: "old-toolchain", arguments: ["test"],
            setUp: "sed -i.old '1s/.*/\\/\\/ swift-tools-version: 99.0/' Package.swift"),
        Mistake(
            name: "no-network", arguments: ["test"],
            setUp: manifest(".package(url: \"https://host.invalid/shapes.git\", from: \"1.0.0\")")),
        Mistake(name: "no-git", arguments: ["release", "0.2.0"], setUp: "rm -f .gitignore"),
        Mistake(
            name: "unsaved-changes", arguments: ["release", "0.2.0"],
            setUp: "\(repository) echo '// more' >> Sources/Mini/Mini.swift; echo > notes.txt"),
        Mistake(
            name: "products-in-git", arguments: ["release", "0.2.0"],
            setUp: "rm .gitignore; mkdir .build; echo 1 > .build/build.db; \(repository) echo 2 > .build/build.db"),
        Mistake(
            name: "wrong-branch", arguments: ["ship"],
            lanes: ["ship": "steps:\n  - require: { branch: main, clean: true }\n"],
            setUp: "\(repository) git switch -q -c side"),
        Mistake(
            name: "no-remote", arguments: ["release", "0.2.0", "--publish"], setUp: repository,
            environment: ["GITHUB_TOKEN": "0123456789abcdef"]),
        Mistake(name: "old-version", arguments: ["release", "0.1.0"], setUp: "\(repository) git tag 0.3.0"),
        Mistake(name: "not-a-version", arguments: ["release", "1.x"]),
        Mistake(name: "misspelt-lane", arguments: ["tset"]),
        Mistake(name: "action-for-lane", arguments: ["bump", "0.2.0"]),
        Mistake(name: "misspelt-option", arguments: ["test", "--jbos", "3"]),
        Mistake(name: "misspelt-topic", arguments: ["help", "expresions"]),
        Mistake(name: "no-such-test", arguments: ["test", "gretes"]),
        Mistake(
            name: "misspelt-setting", arguments: ["check"],
            lanes: ["quick": "steps:\n  - test: { filtr: [Mini] }\n"]),
        Mistake(
            name: "misspelt-expression", arguments: ["check"],
            lanes: ["say": "parameters: { name: { type: string } }\nsteps:\n  - run: echo ${{ parameters.nme }}\n"]),
        Mistake(
            name: "misspelt-parameter", arguments: ["say", "--nme", "Ada"],
            lanes: ["say": "parameters: { name: { type: string } }\nsteps:\n  - run: echo ${{ parameters.name }}\n"]),
        Mistake(
            name: "failing-command", arguments: ["deploy"],
            lanes: ["deploy": "steps:\n  - run: [upload-site, build/site]\n"], environment: nothingInPath),
        Mistake(
            name: "script-not-executable", arguments: ["deploy"],
            lanes: ["deploy": "steps:\n  - run: ./deploy.sh\n"], setUp: "echo date > deploy.sh"),
        Mistake(
            name: "reads-input", arguments: ["say"],
            lanes: ["say": "steps:\n  - run: read -r name; echo \"hello $name\"\n"]),
        Mistake(name: "bash-in-sh", arguments: ["say"], lanes: ["say": "steps:\n  - run: source ./env.sh\n"]),
        Mistake(name: "words-in-one-element", arguments: ["say"], lanes: ["say": "steps:\n  - run: [echo hello]\n"]),
        Mistake(
            name: "keys-of-other-tools", arguments: ["check"],
            lanes: [
                "ci": "name: ci\non: push\nrun: date\nsteps:\n  - uses: actions/checkout@v4\n",
                "say": "secrets: [TOKEN]\nsteps:\n  - run: [echo, \"${{ secrets.TOKEN }}\", \"${{ name }}\"]\n",
            ]),
        Mistake(
            name: "detached-head", arguments: ["release", "0.2.0"],
            setUp: "\(repository) git branch -q -m trunk; git switch -q --detach"),
        Mistake(
            name: "no-such-branch", arguments: ["ship"], lanes: ["ship": "steps:\n  - require: { branch: main }\n"],
            setUp: "\(repository) git branch -q -m trunk"),
        Mistake(
            name: "old-tool", arguments: ["ship"],
            lanes: ["ship": "steps:\n  - require: { tools: { sh-tool: '>= 2.0', git: '>= 99.0' } }\n"]),
        Mistake(name: "no-tools-version", arguments: ["test"], setUp: "sed -i.old 1d Package.swift"),
        Mistake(name: "run-a-lane", arguments: ["run", "test"]),
        Mistake(name: "option-for-lane", arguments: ["--test"]),
    ]

    /// A script that writes a manifest without tests.
    private static func manifest(_ dependency: String = "") -> String {
        """
        rm -r Tests
        cat > Package.swift <<'END'
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(name: "mini", dependencies: [\(dependency)], targets: [.target(name: "Mini")])
        END
        """
    }
}
