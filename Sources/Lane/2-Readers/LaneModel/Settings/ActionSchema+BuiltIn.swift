import Expressions

extension ActionSchema {
    /// The schemas of the built-in actions, in the order of the documentation.
    package static let builtIn = checks + effects

    /// The actions on whose results no other step relies. With `--keep-going`, they run after an unrelated failure, and the
    /// steps after a failed one run as well.
    static let checks = [run, build, test, format, lint, docs, api]

    /// The other actions.
    static let effects = [service, bump, changelog, package, checksum, commit, tag, pullRequest, publish, require]

    /// The action that runs another lane. A plan contains the steps of the lane instead.
    package static let lane = ActionSchema(
        "lane", "Run the steps of another lane; the 'parameters' of the step are the values of its parameters",
        shorthand: "name", settings: [SettingSchema("name", .string, "The name of the lane", isRequired: true)],
        example: """
            - lane: test
            - lane: deploy
              parameters: { target: staging }
            """)

    static let configuration = SettingSchema(
        "configuration", .choice(["debug", "release"]), "The build configuration")
    static let arguments = SettingSchema("arguments", .list(.string), "Additional arguments for 'swift build'")

    static let run = ActionSchema(
        "run", "Run a command: a string with 'sh -eu', a list directly", shorthand: "command",
        settings: [
            SettingSchema(
                "command", .either([.script, .list(.string)]),
                "The shell script, or the program and its arguments",
                isRequired: true),
            SettingSchema("directory", .path, "The working directory, relative to the root"),
            SettingSchema(
                "shell", .string,
                "The interpreter of a script, such as 'bash -euo pipefail'; by default the one in its '#!' line, or 'sh -eu'"
            ),
        ],
        example: """
            - run: swift run tool --check | tee check.log
            - run: [swift, run, tool, --check]
            - run: { command: [npm, test], directory: Site }
            - run:
                shell: python3
                command: |
                  import os
                  print(os.environ["HOME"])
            - run: |
                #!/usr/bin/env -S bash -euo pipefail
                swift run tool | tee tool.log
            """)

    static let service = ActionSchema(
        "service", "Start a program or a container that runs until the lane ends, and wait until it is ready",
        settings: [
            SettingSchema(
                "run", .either([.script, .list(.string)]),
                "The shell script, or the program and its arguments; the working directory is that of the step"),
            SettingSchema("image", .string, "The container image, in place of 'run'"),
            SettingSchema("arguments", .list(.string), "The arguments of the container's program"),
            SettingSchema(
                "variables", .list(.string), "The step's environment variables that are passed to the container"),
            SettingSchema(
                "port", .integer(0...65535),
                "The port of the service; 0 selects a free port and passes it to 'run' as PORT; a container's port is published at a free port"
            ),
            SettingSchema(
                "ready-line", .string,
                "Wait for this text in the output; by default wait until the service accepts connections"
            ),
            SettingSchema("ready-command", .script, "Wait until this shell script succeeds"),
            SettingSchema(
                "ready-timeout", .duration, "The maximum time until the service is ready", default: .string("60s")),
        ],
        outputs: [
            ActionOutput("port", .integer, "The port of the service on this machine, if it has one")
        ],
        example: """
            - id: web
              service: { run: 'python3 -m http.server "$PORT"', port: 0 }
            - run: [curl, --fail, "http://127.0.0.1:${{ steps.web.port }}/"]
            - id: database
              service:
                image: postgres:17
                variables: [POSTGRES_PASSWORD]
                port: 5432
                arguments: [-c, fsync=off]
                ready-line: database system is ready to accept connections
                ready-timeout: 2m
              env: { POSTGRES_PASSWORD: test }
            - service: { run: [redis-server], ready-command: redis-cli ping }
            """)

    static let build = ActionSchema(
        "build", "Build the package", shorthand: "configuration",
        settings: [
            configuration,
            SettingSchema("product", .string, "The only product to build"),
            SettingSchema("products", .list(.string), "The only products to build"),
            SettingSchema("target", .string, "The only target to build"),
            arguments,
            SettingSchema("static", .bool, "Link the Swift libraries statically"),
        ],
        outputs: [],
        example: """
            - build: release
            - build: { configuration: release, product: tool, static: true }
            - build: { products: [Shape, ShapeTesting], arguments: [-Xswiftc, -warnings-as-errors] }
            - build: { target: ShapeMacros }
            """)

    static let format = ActionSchema(
        "format", "Format the sources",
        settings: [
            SettingSchema(
                "tool", .choice(["swift-format", "swiftformat"]),
                "The formatter; by default the one whose file is in the package, '.swift-format' or '.swiftformat', or the toolchain's swift-format"
            ),
            SettingSchema("check", .bool, "Fail if a file is not formatted, and change nothing"),
            SettingSchema("paths", .list(.path), "The files and directories to format; all sources by default"),
        ],
        outputs: [],
        example: """
            - format: { check: true }
            - format: { tool: swiftformat, paths: [Sources, Tests] }
            """)

    static let lint = ActionSchema(
        "lint", "Lint the sources", shorthand: "paths",
        settings: [
            SettingSchema(
                "tool", .choice(["swift-format", "swiftlint", "swiftformat"]),
                "The linter; by default the one whose file is in the package, '.swiftlint.yml', '.swift-format' or '.swiftformat', or the toolchain's swift-format"
            ),
            SettingSchema("paths", .list(.path), "The files and directories to lint; all sources by default"),
            SettingSchema("strict", .bool, "Treat warnings as errors", default: .bool(true)),
            SettingSchema(
                "rules", .path, "The configuration file of the linter; by default the file that the linter finds"),
        ],
        outputs: [],
        example: """
            - lint: {}
            - lint: { tool: swiftlint, paths: [Sources], strict: false, rules: .swiftlint.yml }
            """)

    static let docs = ActionSchema(
        "docs", "Build the documentation as a website with DocC",
        settings: [
            SettingSchema("targets", .list(.string), "The targets; by default the targets of all library products"),
            SettingSchema("output", .path, "The directory of the website", default: .string("dist/docs")),
            SettingSchema("base-path", .string, "The path of the website on its host, such as /tracer"),
            SettingSchema("warnings-as-errors", .bool, "Treat warnings as errors"),
            SettingSchema("require-comments", .bool, "Fail if a public declaration has no comment"),
        ],
        outputs: [
            ActionOutput("path", .string, "The directory of the website"),
            ActionOutput("modules", .list, "The documented modules"),
            ActionOutput("warnings", .integer, "The number of warnings"),
        ],
        example: """
            - docs: { targets: [Shape], warnings-as-errors: true, require-comments: true }
            - docs: { output: build/site, base-path: /shape }
            """)

    static let api = ActionSchema(
        "api", "Find what breaks clients of the public API, and prove it with programs", shorthand: "base",
        settings: [
            SettingSchema("base", .string, "The tag, version or commit to compare with; the last release by default"),
            SettingSchema(
                "allow",
                .list(
                    .object([
                        SettingSchema(
                            "declaration", .string, "The declaration as in the report: 'Box.label(of:)'",
                            isRequired: true),
                        SettingSchema("reason", .string, "The reason, which every run prints", isRequired: true),
                    ])), "The intended breaks; an entry that matches none is an error"),
            SettingSchema(
                "version", .version,
                "The version to release: 'auto' becomes a breaking version if necessary, another version must permit the breaks; without it, a break is an error"
            ),
            SettingSchema("report", .path, "Write the report to this file as JSON"),
            arguments,
        ],
        outputs: [
            ActionOutput("breaks", .integer, "The number of breaks that are proven and not allowed"),
            ActionOutput("warnings", .integer, "The number of changes that may break clients"),
            ActionOutput("base", .string, "The tag or commit of the old version"),
        ],
        example: """
            - api: {}
            - api: 1.2.0
            - api:
                version: ${{ parameters.version }}
                report: build/api.json
                allow:
                  - { declaration: Shape.init(sides:), reason: "it crashed for every value, #31" }
                arguments: [-Xcc, -I/opt/shape/include]
            """)
}
