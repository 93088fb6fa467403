import LaneModel
import LaneRun

/// The `format` action: runs `swift format` to change files or to check them.
struct FormatAction: SwiftToolAction {
    let purpose = "format"

    func words(_ settings: Settings) -> [String] {
        ["swift", "format"]
            + (settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }
}
