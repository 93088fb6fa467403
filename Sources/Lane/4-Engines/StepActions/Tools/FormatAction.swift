import Actions
package import LaneModel

/// The `format` action, which formats or checks files with swift-format or SwiftFormat.
package struct FormatAction: SwiftToolAction {
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
