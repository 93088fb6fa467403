package import Actions
package import LaneModel
package import OperatingSystem
import SwiftPackages

/// The `build` action, which runs `swift build` and reports each diagnostic once.
package struct BuildAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        arguments(settings).map { ShellWords.line(["swift"] + $0) }.joined(separator: " && ")
    }

    package func command(of settings: Settings, in directory: String) -> String? { summary(of: settings) }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        for arguments in arguments(settings) {
            try context.build(["swift"] + arguments)
        }
        return StepResult()
    }

    /// Returns the arguments of `swift build` for each product, because it builds only one product at a time.
    private func arguments(_ settings: Settings) -> [[String]] {
        var common = ["build"]
        if let configuration = settings.string("configuration") { common += ["-c", configuration] }
        if settings.bool("static") == true { common.append("--static-swift-stdlib") }
        if let target = settings.string("target") { common += ["--target", target] }
        common += settings.strings("arguments") ?? []
        let products = (settings.string("product").map { [$0] } ?? []) + (settings.strings("products") ?? [])
        return products.isEmpty ? [common] : products.map { common + ["--product", $0] }
    }
}

extension StepContext {
    /// Runs a tool whose output has the format of a compiler, and reports its diagnostics.
    func build(_ words: [String]) throws(OperationFailure) {
        try ToolRunner(directory: directory, environment: environment, processes: processes, send: send).build(words)
    }
}
