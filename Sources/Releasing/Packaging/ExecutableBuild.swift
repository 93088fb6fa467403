import Files
import LaneRun
import Processes

/// Builds one executable product so that it runs where no toolchain is.
struct ExecutableBuild {
    let tools: StepTools
    let recipe: BuildRecipe

    /// - Returns: The built file, and how it is linked.
    func run(_ product: String) throws(StepFailure) -> (path: String, linkage: BuildRecipe.Linkage) {
        guard recipe.isLinux else { return (try build(product, .dynamic), .dynamic) }
        let (report, output) = try tools.attempt(
            "swift", recipe.executable(product, .full), in: recipe.directory, showing: .progress)
        if report.stoppedBy != nil { throw StepFailure("the build of '\(product)' was stopped", cause: .cancelled) }
        if report.succeeded {
            let path = "\(recipe.products(.full))/\(product)"
            // A C library that is linked in cannot look up users and hosts by itself.
            guard try onFiles({ () throws(FileError) in try file(path, holds: "nsswitch.conf") }) else {
                return (path, .full)
            }
            tools.say("'\(product)' looks up users or hosts, so it is linked with the C library of the system")
        } else if isCompileError(output) {
            return (try build(product, .full), .full)
        } else {
            tools.say("'\(product)' cannot be linked with everything it needs; it gets the Swift libraries only")
        }
        return (try build(product, .standardLibrary), .standardLibrary)
    }

    private func build(_ product: String, _ linkage: BuildRecipe.Linkage) throws(StepFailure) -> String {
        try tools.run("swift", recipe.executable(product, linkage), in: recipe.directory, showing: .progress)
        return "\(recipe.products(linkage))/\(product)"
    }

    /// Whether the sources are at fault: then another way of linking won't help.
    private func isCompileError(_ output: [UInt8]) -> Bool {
        String(decoding: output, as: UTF8.self).split(separator: "\n").contains { line in
            line.range(of: ".swift:").map { line[$0.upperBound...].contains(": error: ") } ?? false
        }
    }
}
