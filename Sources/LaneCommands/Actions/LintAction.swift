import LaneModel
import LaneRun

/// The `lint` action: the toolchain's own `swift format lint`, which changes nothing.
struct LintAction: SwiftFormatAction {
    let purpose = "lint"

    func words(_ settings: Settings) -> [String] {
        var words = ["lint", "--recursive", "--parallel"]
        if settings.bool("strict") ?? true { words.append("--strict") }
        if let rules = settings.string("rules") { words += ["--configuration", rules] }
        return words
    }
}
