import LaneModel
import LaneRun

/// The `format` action: the toolchain's own `swift format`, either to mend or to check.
struct FormatAction: SwiftFormatAction {
    let purpose = "format"

    func words(_ settings: Settings) -> [String] {
        (settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }
}
