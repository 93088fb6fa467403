import Expressions
package import LaneModel

extension [ActionSchema] {
    /// Some of the built-in actions, with some of their settings and without help, for tests of the modules below the
    /// actions. A test of the program compares them with the actions.
    package static let samples: [ActionSchema] = [
        ActionSchema(
            "run", "", shorthand: "command",
            settings: [
                SettingSchema("command", .either([.script, .list(.string)]), "", isRequired: true),
                SettingSchema("directory", .path, ""), SettingSchema("shell", .string, ""),
            ], isCheck: true),
        ActionSchema(
            "build", "", shorthand: "configuration",
            settings: [
                SettingSchema("configuration", .choice(["debug", "release"]), ""),
                SettingSchema("static", .bool, ""),
            ], outputs: [], isCheck: true),
        ActionSchema(
            "test", "",
            settings: [
                SettingSchema("filter", .list(.string), ""), SettingSchema("shard", .part, ""),
                SettingSchema("jobs", .integer(1...1024), ""), SettingSchema("retries", .integer(0...100), ""),
                SettingSchema("timeout", .timeLimit, ""), SettingSchema("coverage", .bool, ""),
                SettingSchema("coverage-threshold", .integer(0...100), ""),
                SettingSchema("coverage-lcov", .path, ""), SettingSchema("coverage-cobertura", .path, ""),
                SettingSchema("coverage-html", .path, ""), SettingSchema("allow-empty", .bool, ""),
                SettingSchema("directory", .path, ""), SettingSchema("events", .path, ""),
            ] + ReportOption.all,
            outputs: outputs([("planned", .integer), ("passed", .integer), ("coverage", .integer)]), isCheck: true),
        ActionSchema(
            "lint", "", shorthand: "paths", settings: [SettingSchema("paths", .list(.path), "")], outputs: [],
            isCheck: true),
        ActionSchema(
            "docs", "",
            outputs: outputs([("path", .string), ("modules", .list), ("warnings", .integer)]), isCheck: true),
        ActionSchema(
            "api", "", shorthand: "base",
            settings: [SettingSchema("base", .string, ""), SettingSchema("report", .path, "")],
            outputs: outputs([("breaks", .integer), ("warnings", .integer), ("base", .string)]), isCheck: true),
        ActionSchema(
            "service", "",
            settings: [
                SettingSchema("run", .either([.script, .list(.string)]), ""), SettingSchema("image", .string, ""),
                SettingSchema("arguments", .list(.string), ""), SettingSchema("variables", .list(.string), ""),
                SettingSchema("port", .integer(0...65535), ""), SettingSchema("ready-line", .string, ""),
                SettingSchema("ready-command", .script, ""),
                SettingSchema("ready-timeout", .timeLimit, "", default: .string("60s")),
            ], outputs: outputs([("port", .integer)])),
        ActionSchema(
            "bump", "", shorthand: "version", settings: [SettingSchema("version", .version, ""), versionFiles],
            outputs: outputs([("version", .string), ("tag", .string), ("previous", .string), ("files", .list)])),
        ActionSchema(
            "changelog", "",
            settings: [SettingSchema("file", .path, "", default: .string("CHANGELOG.md"))],
            outputs: outputs([("notes", .string)])),
        ActionSchema(
            "package", "",
            settings: [
                SettingSchema("version", .version, ""), SettingSchema("verify", .bool, "", default: .bool(true)),
                SettingSchema("sign", .bool, ""), SettingSchema("allow-empty", .bool, ""),
                SettingSchema("parts", .path, ""),
            ],
            outputs: outputs([("archive", .string), ("sha256", .string), ("version", .string), ("name", .string)])),
        ActionSchema(
            "checksum", "", shorthand: "files",
            settings: [SettingSchema("files", .list(.path), "", default: .list([.string("dist/*")]))],
            outputs: outputs([("files", .list)])),
        ActionSchema(
            "commit", "", shorthand: "message", settings: [SettingSchema("message", .string, "")],
            outputs: outputs([("commit", .string)])),
        ActionSchema(
            "tag", "", shorthand: "name", settings: [SettingSchema("name", .string, "")],
            outputs: outputs([("name", .string)])),
        ActionSchema(
            "pull-request", "", settings: target, outputs: outputs([("url", .string), ("branch", .string)])),
        ActionSchema(
            "publish", "", shorthand: "to",
            settings: [
                SettingSchema("to", .choice(["github"]), "", isRequired: true), SettingSchema("push", .bool, ""),
            ] + target,
            outputs: outputs([("url", .string), ("tag", .string), ("draft", .bool), ("files", .list)])),
        ActionSchema(
            "require", "",
            settings: [
                SettingSchema("clean", .bool, ""),
                SettingSchema("tools", .either([.list(.string), .map(.string)]), ""),
                SettingSchema("secrets", .list(.string), ""), SettingSchema("publish-to", .choice(["github"]), ""),
                SettingSchema("remote", .string, ""), SettingSchema("repository", .string, ""),
                SettingSchema("token", .string, ""), SettingSchema("pull-request", .bool, ""),
                SettingSchema("version", .version, ""), versionFiles,
            ], outputs: []),
    ]

    private static var versionFiles: SettingSchema {
        SettingSchema(
            "files",
            .list(
                .either([
                    .path,
                    .object([
                        SettingSchema("path", .path, "", isRequired: true), SettingSchema("pattern", .string, ""),
                        SettingSchema("count", .integer(1...10_000), ""),
                    ]),
                ])), "")
    }

    private static var target: [SettingSchema] {
        [
            SettingSchema("remote", .string, "", default: .string("origin")), SettingSchema("repository", .string, ""),
            SettingSchema("token", .string, "", default: .string("GITHUB_TOKEN")),
        ]
    }

    private static func outputs(_ outputs: [(name: String, type: ExpressionType)]) -> [ActionOutput] {
        outputs.map { ActionOutput($0.name, $0.type, "") }
    }
}
