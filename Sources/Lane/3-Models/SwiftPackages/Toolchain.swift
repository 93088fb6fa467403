package import OperatingSystem
import Text

/// The Swift toolchain.
package struct Toolchain: Sendable, Equatable {
    /// The first line of `swift --version`.
    package let version: String
    /// The target triple in the names of module files: `x86_64-unknown-linux-gnu`.
    package let moduleTriple: String
    /// The directory of `swift-frontend`, `llvm-ar` and other tools.
    package let binaries: String
    /// The directories of the toolchain's libraries, which the linker searches first.
    let libraries: [String]

    /// Finds the toolchain by asking the compiler.
    package static func find(_ tools: ToolRunner) throws(OperationFailure) -> Toolchain {
        let text = try tools.text("swift", ["-print-target-info"], in: tools.directory)
        guard let info = try? JSONParser.parse(text), let triple = info["target"]?["moduleTriple"]?.string,
            let version = info["compilerVersion"]?.string, let resources = Self.resources(in: info)
        else { throw OperationFailure("'swift -print-target-info' did not describe its target") }
        let shared = info["paths"]?["runtimeLibraryPaths"]?.array?.compactMap(\.string) ?? []
        let fixed = shared.map { "\(resources)_static/\(lastPathComponent($0))" }
        return Toolchain(
            version: version, moduleTriple: triple, binaries: "\(resources)/../../bin", libraries: shared + fixed)
    }

    /// Returns the directory of the toolchain's programs that contains a program which is not on the search path, or `nil`
    /// if the toolchain does not have it. If `swift` is a wrapper, asks it for the toolchain.
    package static func binaries(
        with program: String, environment: [String: String], directory: String, processes: any ProcessRunner
    ) throws(SpawnError) -> String? {
        for directory in (environment["PATH"] ?? "").split(separator: ":") {
            guard let swift = resolvedPath("\(directory)/swift") else { continue }
            let tools = parentDirectory(swift)
            if fileExists("\(tools)/\(program)"), lastPathComponent(swift).hasPrefix("swift") { return tools }
            break
        }
        let done = try processes.capture(
            Command("swift", ["-print-target-info"], environment: environment, directory: directory))
        let resources = (try? JSONParser.parse(done.standardOutput)).flatMap(Self.resources)
        let tools = resources.map { "\(parentDirectory(parentDirectory($0)))/bin" }
        return tools.flatMap { fileExists("\($0)/\(program)") ? $0 : nil }
    }

    /// Returns the directory of the runtime's resources in the answer to `swift -print-target-info`.
    private static func resources(in info: JSONNode) -> String? { info["paths"]?["runtimeResourcePath"]?.string }

    /// Returns a Boolean value that indicates whether the toolchain contains a library.
    package func hasLibrary(_ name: String) -> Bool {
        libraries.contains { directory in
            [".so", ".a", ".dylib"].contains { fileExists("\(directory)/lib\(name)\($0)") }
        }
    }

    package var isLinux: Bool { moduleTriple.contains("-linux") }

    /// The platform in the names of archives: `linux-x86_64`.
    package var platform: String {
        let parts = moduleTriple.split(separator: "-")
        let system = moduleTriple.contains("-apple-") ? "macos" : isLinux ? "linux" : String(parts.last ?? "")
        return "\(system)-\(parts.first ?? "")"
    }
}
