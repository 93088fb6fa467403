import Actions
package import LaneModel

/// The `format` action, which formats or checks files with swift-format or SwiftFormat.
package struct FormatAction: SwiftToolAction {
    package static let schema = ActionSchema(
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
        isCheck: true,
        example: """
            - format: { check: true }
            - format: { tool: swiftformat, paths: [Sources, Tests] }
            """)

    package let purpose = "format"
    package let tools = [StyleTool.swiftFormat, .swiftformat]

    package init() {}

    package func words(_ settings: Settings, for tool: StyleTool) -> [String] {
        let checks = settings.bool("check") == true
        if tool == .swiftformat { return ["swiftformat"] + (checks ? ["--lint"] : []) }
        return ["swift", "format"] + (checks ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }
}
