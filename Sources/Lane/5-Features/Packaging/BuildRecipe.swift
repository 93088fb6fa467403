import OperatingSystem
import Text

/// The arguments of reproducible builds. Their bytes depend only on the sources and the toolchain, not on the
/// directory, the user or the time.
struct BuildRecipe: Sendable, Equatable {
    /// The linkage of an executable. The raw value is the name of the build directory.
    enum Linkage: String, Sendable, Equatable {
        /// The executable has no dependencies.
        case full = "static"
        /// The executable contains the Swift libraries and depends on the C library of the system.
        case standardLibrary = "static-stdlib"
        /// The executable depends on the Swift libraries of the platform.
        case dynamic
    }

    /// The build of a library. The raw value is the name of the build directory.
    enum LibraryForm: String, Sendable, Equatable {
        /// The library has a textual interface for other compilers, with library evolution.
        case withInterface = "library"
        case plain = "library-plain"
    }

    /// The directory of the package.
    let directory: String
    let isLinux: Bool
    /// A Boolean value that indicates whether builds compile macros or other build tools.
    ///
    /// If `true`, all builds share a directory, and the tools are compiled once. A toolset limits the flags to the
    /// products.
    var hasBuildTools = false

    /// - Parameter name: The name of the build directory. Builds with different flags need different directories.
    private func build(_ name: String, _ more: [String]) -> [String] {
        // Debug information names Clang modules by a signature that changes with every build. The incremental hash in
        // each object includes absolute paths.
        let frontend = ["-no-clang-module-breadcrumbs", "-disable-incremental-llvm-codegen"]
        var arguments = [
            "build", "--configuration", "release", "--scratch-path", scratch(name), "-debug-info-format", "none",
            "-Xswiftc", "-file-prefix-map", "-Xswiftc", "\(directory)=.", "-Xcc", "-ffile-prefix-map=\(directory)=.",
        ]
        for flag in frontend { arguments += ["-Xswiftc", "-Xfrontend", "-Xswiftc", flag] }
        if isLinux { arguments += ["-Xswiftc", "-use-ld=lld"] }
        return arguments + more
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

    /// Returns the arguments to build a library.
    ///
    /// The compiler's check of the interface does not find the package's C modules, so `lane` has its own check. The
    /// flag `-fno-math-errno` compiles a square root to one instruction. Without it, programs would have to link the
    /// math library.
    ///
    /// - Parameter linkedLibraries: The libraries that programs must link if they import the modules.
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

    /// Returns the arguments that fetch the dependencies into the build directory of `library`.
    func resolution(_ form: LibraryForm) -> [String] {
        ["package", "--scratch-path", scratch(form.rawValue), "resolve"]
    }

    /// Returns the arguments of `swift` for a build.
    ///
    /// - Parameter words: The arguments without a toolset.
    func command(_ words: [String]) throws(OperationFailure) -> [String] {
        guard hasBuildTools else { return words }
        return try Toolset(words).write(to: "\(directory)/.build/toolset.json")
    }

    private func scratch(_ name: String) -> String { ".build/\(hasBuildTools ? "shared" : name)" }

    private func outputPath(_ name: String) -> String { "\(directory)/\(scratch(name))" }

    /// Returns the directory of executables.
    func products(_ linkage: Linkage) -> String { "\(outputPath(linkage.rawValue))/release" }

    /// Returns the path for an executable that is linked again with another C library.
    func relinked(_ product: String) -> String { "\(directory)/.build/relinked/\(product)" }

    /// Returns the path of the file in which SwiftPM records the commands of a build.
    func plan(_ linkage: Linkage) -> String { "\(outputPath(linkage.rawValue))/release.yaml" }

    /// Returns the directory of libraries.
    func products(_ form: LibraryForm) -> String { "\(outputPath(form.rawValue))/release" }

    /// Returns the directory of the dependencies' sources.
    func checkouts(_ form: LibraryForm) -> String { "\(outputPath(form.rawValue))/checkouts" }
}

/// The flags of a build as a toolset file of SwiftPM (SE-0387). Flags on the command line would also apply to macros
/// and plugins, and each change of a flag would compile these again.
struct Toolset: Sendable, Equatable {
    /// The arguments of `swift` that are not flags of a tool.
    private(set) var arguments: [String] = []
    private var compiler: [String] = []
    private var clang: [String] = []
    private var linker: [String] = []

    /// Splits the arguments of `swift build` into flags of tools and other arguments.
    init(_ all: [String]) {
        var rest = all[...]
        while let word = rest.popFirst() {
            switch word {
            case "-Xswiftc": compiler += [rest.popFirst()].compactMap(\.self)
            case "-Xcc": clang += [rest.popFirst()].compactMap(\.self)
            case "-Xlinker": linker += [rest.popFirst()].compactMap(\.self)
            case "--static-swift-stdlib": compiler.append("-static-stdlib")
            default: arguments.append(word)
            }
        }
    }

    /// Writes the file. Returns the arguments of a build that uses the file in place of the flags.
    func write(to path: String) throws(OperationFailure) -> [String] {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("schemaVersion", "1.0")
            let tools = [("swiftCompiler", compiler), ("cCompiler", clang), ("cxxCompiler", clang), ("linker", linker)]
            for (name, flags) in tools where !flags.isEmpty {
                writer.object(name) { $0.member("extraCLIOptions", flags) }
            }
        }
        let bytes = writer.bytes
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            if (try? readFile(path)) != bytes { try writeFile(bytes, to: path) }
        }
        return arguments + ["--toolset", path]
    }
}
