package import Actions
package import LaneModel
package import OperatingSystem
import SwiftPackages

/// The `build` action, which runs `swift build` and reports each diagnostic once.
package struct BuildAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "build", "Build the package", shorthand: "configuration",
        settings: [
            .buildConfiguration,
            SettingSchema("product", .string, "The only product to build"),
            SettingSchema("products", .list(.string), "The only products to build"),
            SettingSchema("target", .string, "The only target to build"),
            .buildArguments,
            SettingSchema("static", .bool, "Link the Swift libraries statically"),
        ],
        outputs: [],
        isCheck: true,
        example: """
            - build: release
            - build: { configuration: release, product: tool, static: true }
            - build: { products: [Shape, ShapeTesting], arguments: [-Xswiftc, -warnings-as-errors] }
            - build: { target: ShapeMacros }
            """)

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
        try ToolRunner(directory: directory, environment: environment, processes: processes, events: self).build(words)
    }
}
