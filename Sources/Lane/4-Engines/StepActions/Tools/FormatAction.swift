import Actions
package import LaneModel

/// The `format` action, which formats or checks files with `swift format`.
package struct FormatAction: SwiftToolAction {
    package let purpose = "format"

    package init() {}

    package func words(_ settings: Settings) -> [String] {
        ["swift", "format"]
            + (settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }
}
