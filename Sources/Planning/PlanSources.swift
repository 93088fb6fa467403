package import Diagnostics
package import LaneModel

/// The values outside the lane files that a plan can depend on. Without them, a plan has null in their places.
package struct PlanSources: Sendable {
    package typealias DotEnv = @Sendable (DotEnvFile) throws(Diagnostic) -> SourceFile?
    package typealias Output = @Sendable (ValueCommand, Settings, [String: String]) throws(Diagnostic) -> String
    package typealias Files = @Sendable (String) -> [String]

    /// Returns a dotenv file, or `nil` if it is missing.
    let dotEnv: DotEnv
    /// Returns the output of a command with its evaluated settings and its environment, without line ends at its end.
    let output: Output?
    /// Returns the files that match a glob, relative to the root.
    let files: Files

    package init(
        dotEnv: @escaping DotEnv = { _ throws(Diagnostic) in nil }, output: Output? = nil,
        files: @escaping Files = { _ in [] }
    ) {
        self.dotEnv = dotEnv
        self.output = output
        self.files = files
    }
}
