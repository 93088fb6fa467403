package import Text

/// The sources of values outside the lane files. By default, they have no values.
package struct PlanSources: Sendable {
    package typealias DotEnv = @Sendable (DotEnvFile) throws(Diagnostic) -> SourceFile?
    package typealias Output = @Sendable (ValueCommand, Settings, [String: String]) throws(Diagnostic) -> String
    package typealias Files = @Sendable (String) -> [String]

    /// A closure that returns the contents of a dotenv file, or `nil` if the file is missing.
    let dotEnv: DotEnv
    /// A closure that runs a command with evaluated settings and an environment, and returns its output without line
    /// breaks at the end.
    let output: Output
    /// A closure that returns the files that match a glob, relative to the root.
    let files: Files

    package init(
        dotEnv: @escaping DotEnv = { _ throws(Diagnostic) in nil },
        output: @escaping Output = { _, _, _ throws(Diagnostic) in "" },
        files: @escaping Files = { _ in [] }
    ) {
        self.dotEnv = dotEnv
        self.output = output
        self.files = files
    }
}
