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
        let arguments = recipe.executable(product, .full)
        let (report, output) = try tools.attempt(
            "swift", recipe.command(arguments), in: recipe.directory, showing: .progress)
        if report.stoppedBy != nil { throw stopped(product) }
        if report.succeeded {
            let path = "\(recipe.products(.full))/\(product)"
            // A C library that is linked in cannot look up users and hosts by itself.
            guard try onFiles({ () throws(FileError) in try file(path, holds: "nsswitch.conf") }) else {
                return (path, .full)
            }
            tools.say("'\(product)' looks up users or hosts, so it is linked with the C library of the system")
            if let path = try relink(product) { return (path, .standardLibrary) }
        } else if isLinkError(output) {
            tools.say("'\(product)' cannot be linked with everything it needs; it gets the Swift libraries only")
            if let path = try relink(product) { return (path, .standardLibrary) }
        } else {
            // Another way of linking would not help.
            tools.showFaults(of: output, in: recipe.directory)
            throw tools.failure(of: "swift", arguments, report)
        }
        return (try build(product, .standardLibrary), .standardLibrary)
    }

    private func build(_ product: String, _ linkage: BuildRecipe.Linkage) throws(StepFailure) -> String {
        let arguments = try recipe.command(recipe.executable(product, linkage))
        try tools.run("swift", arguments, in: recipe.directory, showing: .progress)
        return "\(recipe.products(linkage))/\(product)"
    }

    /// Links what is built once more, with the C library of the system; the bytes are those that a whole build would make.
    ///
    /// - Returns: `nil` where that takes a whole build: for the program that names the folder of its resources, too.
    private func relink(_ product: String) throws(StepFailure) -> String? {
        let path = recipe.relinked(product)
        guard let notes = try? readText(recipe.notes(.full)),
            let command = LinkCommand(of: product, in: notes)?.sharingTheCLibrary(into: path)
        else { return nil }
        try onFiles { () throws(FileError) in try makeDirectories(parentDirectory(path)) }
        let (report, _) = try tools.attempt(
            command.words[0], Array(command.words.dropFirst()), in: recipe.directory, showing: .nothing)
        if report.stoppedBy != nil { throw stopped(product) }
        guard report.succeeded else { return nil }
        return try ResourceBundles.folders(of: path, in: recipe.products(.full)).isEmpty ? path : nil
    }

    private func stopped(_ product: String) -> StepFailure {
        StepFailure("the build of '\(product)' was stopped", cause: .cancelled)
    }

    private func isLinkError(_ output: [UInt8]) -> Bool {
        let text = String(decoding: output, as: UTF8.self)
        return text.range(of: "link command failed") != nil || text.range(of: "linker command failed") != nil
    }
}
