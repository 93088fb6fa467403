import LaneRun

/// How products are built so that their bytes depend on the sources and the toolchain alone, and not on the folder, the
/// user or the moment.
struct BuildRecipe: Sendable, Equatable {
    /// How a program is linked; the raw value names the folder for what is made.
    enum Linkage: String, Sendable, Equatable {
        /// Needs nothing at all at run time.
        case full = "static"
        /// Has the Swift libraries in it and needs the C library of the system.
        case standardLibrary = "static-stdlib"
        /// For platforms that have the Swift libraries.
        case dynamic
    }

    /// How a library is built; the raw value names the folder for what is made.
    enum LibraryForm: String, Sendable, Equatable {
        /// With library evolution: the compiler writes an interface as text, which other compilers can read.
        case withInterface = "library"
        case plain = "library-plain"
    }

    /// The folder of the package.
    let directory: String
    let isLinux: Bool
    /// A Boolean value that indicates whether builds compile macros or other programs for themselves.
    ///
    /// These are then compiled once: all builds share a folder, and flags reach only what is shipped, through a toolset.
    var hasBuildTools = false

    /// - Parameter flavour: Names the folder for what is made, so that different flags do not undo each other's work.
    private func build(_ flavour: String, _ more: [String]) -> [String] {
        // Clang modules are named in debug information by a signature that changes with every build; the incremental
        // hash in each object covers absolute paths.
        let frontend = ["-no-clang-module-breadcrumbs", "-disable-incremental-llvm-codegen"]
        return [
            "build", "--configuration", "release", "--scratch-path", scratch(flavour), "-debug-info-format", "none",
            "-Xswiftc", "-file-prefix-map", "-Xswiftc", "\(directory)=.", "-Xcc", "-ffile-prefix-map=\(directory)=.",
        ] + frontend.flatMap { ["-Xswiftc", "-Xfrontend", "-Xswiftc", $0] }
            + (isLinux ? ["-Xswiftc", "-use-ld=lld"] : [])
            + more
    }

    func executable(_ product: String, _ linkage: Linkage) -> [String] {
        var flags = ["--product", product]
        switch linkage {
        case .full: flags += ["--static-swift-stdlib", "-Xswiftc", "-static-executable", "-Xlinker", "-s"]
        case .standardLibrary: flags += ["--static-swift-stdlib", "-Xlinker", "-s"]
        case .dynamic: break
        }
        return build(linkage.rawValue, flags)
    }

    /// The compiler's own check of the interface does not find the package's C modules, so we make one. Without errno a
    /// square root is one instruction; with it the archive would need the system's mathematics library, which no outside
    /// program thinks of linking.
    /// - Parameter linkedLibraries: Go into the modules, so that whoever imports one links with them, too.
    func library(target: String, linkedLibraries: [String], _ form: LibraryForm) -> [String] {
        var flags = linkedLibraries.flatMap { ["-Xfrontend", "-public-autolink-library", "-Xfrontend", $0] }
        if form == .withInterface {
            flags += [
                "-enable-library-evolution", "-emit-module-interface", "-no-verify-emitted-module-interface", "-Xcc",
                "-fno-math-errno",
            ]
        }
        return build(form.rawValue, ["--target", target] + flags.flatMap { ["-Xswiftc", $0] })
    }

    /// Fetches the packages that this one depends on to where `library` looks for them.
    func resolution(_ form: LibraryForm) -> [String] {
        ["package", "--scratch-path", scratch(form.rawValue), "resolve"]
    }

    /// Returns the arguments with which `swift` is started for a build.
    ///
    /// - Parameter words: The arguments as anyone would write them.
    func command(_ words: [String]) throws(StepFailure) -> [String] {
        guard hasBuildTools else { return words }
        return try Toolset(words).write(to: "\(directory)/.build/toolset.json")
    }

    private func scratch(_ flavour: String) -> String { ".build/\(hasBuildTools ? "shared" : flavour)" }

    private func made(_ flavour: String) -> String { "\(directory)/\(scratch(flavour))" }

    /// Where builds of executables put what they make.
    func products(_ linkage: Linkage) -> String { "\(made(linkage.rawValue))/release" }

    /// Where programs go that are linked again.
    func relinked(_ product: String) -> String { "\(directory)/.build/relinked/\(product)" }

    /// Where SwiftPM notes down all commands of a build.
    func notes(_ linkage: Linkage) -> String { "\(made(linkage.rawValue))/release.yaml" }

    /// Where builds of libraries put what they make.
    func products(_ form: LibraryForm) -> String { "\(made(form.rawValue))/release" }

    /// Where SwiftPM puts the packages that this one depends on.
    func checkouts(_ form: LibraryForm) -> String { "\(made(form.rawValue))/checkouts" }
}
