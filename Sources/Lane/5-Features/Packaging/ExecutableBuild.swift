import Events
import OperatingSystem
import SwiftPackages
import Text

/// A build of an executable product that runs without a toolchain.
struct ExecutableBuild {
    let tools: ToolRunner
    let recipe: BuildRecipe

    /// - Returns: The path of the executable and its linkage.
    func run(_ product: String) throws(OperationFailure) -> (path: String, linkage: BuildRecipe.Linkage) {
        guard recipe.isLinux else { return (try build(product, .dynamic), .dynamic) }
        let arguments = recipe.executable(product, .full)
        let full = try tools.attemptBuild(recipe.command(arguments), in: recipe.directory)
        if full.report.stoppedBy != nil { throw stopped(product) }
        if full.report.succeeded {
            let path = "\(recipe.products(.full))/\(product)"
            // The static C library cannot look up users and hosts.
            guard try convertingFileErrors(of: file(path, contains: "nsswitch.conf")) else {
                return (path, .full)
            }
            tools.report(
                .note, "'\(product)' looks up users or hosts, so it is linked with the C library of the system")
            if let path = try relink(product) { return (path, .standardLibrary) }
        } else if full.hasLinkError {
            tools.report(
                .note, "'\(product)' cannot be linked statically, so it contains only the Swift libraries")
            if let path = try relink(product) { return (path, .standardLibrary) }
        } else {
            // The error is in the sources, so another linkage would fail as well.
            tools.show(full)
            throw tools.failure(of: "swift", arguments, full.report)
        }
        return (try build(product, .standardLibrary), .standardLibrary)
    }

    private func build(_ product: String, _ linkage: BuildRecipe.Linkage) throws(OperationFailure) -> String {
        let arguments = try recipe.command(recipe.executable(product, linkage))
        try tools.buildQuietly(arguments, in: recipe.directory)
        return "\(recipe.products(linkage))/\(product)"
    }

    /// Links the executable again with the C library of the system. The result is the same as that of a complete build.
    ///
    /// - Returns: The path of the executable, or `nil` if a complete build is necessary. An executable that contains
    ///   the path of its resources needs one.
    private func relink(_ product: String) throws(OperationFailure) -> String? {
        let path = recipe.relinked(product)
        // Swift 6.0 makes the directory only if the build succeeds.
        guard isDirectory(recipe.products(.full)), let plan = try? readText(recipe.plan(.full)),
            let command = LinkCommand(of: product, in: plan)?.sharingTheCLibrary(into: path)
        else { return nil }
        try convertingFileErrors(of: makeDirectories(parentDirectory(path)))
        let (report, _) = try tools.attempt(
            command.words[0], Array(command.words.dropFirst()), in: recipe.directory)
        if report.stoppedBy != nil { throw stopped(product) }
        guard report.succeeded else { return nil }
        return try ResourceBundles.bundles(of: path, in: recipe.products(.full)).isEmpty ? path : nil
    }

    private func stopped(_ product: String) -> OperationFailure {
        OperationFailure("the build of '\(product)' was stopped", cause: .cancelled)
    }
}

/// The command that linked an executable, as recorded by SwiftPM's native build system. A modified copy links the
/// executable again without a build.
struct LinkCommand: Equatable {
    /// The linker and its arguments.
    let words: [String]

    /// Returns a command that links the C library of the system dynamically and writes to `path`, or `nil` if this is
    /// not possible.
    func sharingTheCLibrary(into path: String) -> LinkCommand? {
        let isFull = { (word: String) in word == "-static-executable" }
        guard words.count(where: isFull) == 1, let output = words.firstIndex(of: "-o") else { return nil }
        var words = words
        words[output + 1] = path
        words.removeAll(where: isFull)
        return LinkCommand(words: words)
    }
}

extension LinkCommand {
    /// Finds the command. Returns `nil` if it is not recorded in the expected form.
    ///
    /// - Parameter plan: The text of a build's `release.yaml`.
    init?(of product: String, in plan: String) {
        let own = BuildPlan.commands(with: "-emit-executable", in: plan).first { words in
            guard let output = words.firstIndex(of: "-o") else { return false }
            return words.dropFirst(output + 1).first?.pathComponents.last == product[...]
        }
        guard let own else { return nil }
        words = own
    }
}
