package import LaneModel
import LaneRun

/// The `format` action: runs `swift format` to change files or to check them.
package struct FormatAction: SwiftToolAction {
    package let purpose = "format"

    package init() {}

    package func words(_ settings: Settings) -> [String] {
        ["swift", "format"]
            + (settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }
}
