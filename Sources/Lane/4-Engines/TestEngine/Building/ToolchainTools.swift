import OperatingSystem
import Text

/// The programs of the Swift toolchain that are not on the search path.
enum ToolchainTools {
    /// Returns their directory. If `swift` is a wrapper, asks it for the toolchain.
    static func directory(of package: SwiftPackage, _ processes: any ProcessRunner) throws(TestEngineFailure) -> String
    {
        for directory in (package.environment["PATH"] ?? "").split(separator: ":") {
            guard let swift = resolvedPath("\(directory)/swift") else { continue }
            let tools = parentDirectory(swift)
            if fileExists("\(tools)/llvm-cov"), lastPathComponent(swift).hasPrefix("swift") { return tools }
            break
        }
        let command = Command(
            "swift", ["-print-target-info"], environment: package.environment, directory: package.directory)
        let done: CapturedRun
        do { done = try processes.capture(command) } catch { throw .cannotStart(error) }
        let resources = (try? JSONParser.parse(done.standardOutput))?["paths"]?["runtimeResourcePath"]?.string
        guard let tools = resources.map({ "\(parentDirectory(parentDirectory($0)))/bin" }),
            fileExists("\(tools)/llvm-cov")
        else { throw .noCoverage("the Swift toolchain contains no llvm-cov") }
        return tools
    }
}
