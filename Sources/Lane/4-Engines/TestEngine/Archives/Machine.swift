import Archives
import OperatingSystem
import Text

/// The machine that packs or runs tests.
enum Machine {
    /// The directory of the Swift runtime in Swift's Docker images. The slim images contain no `swift` command to find
    /// it with.
    private static let imageDirectory = "/usr/lib/swift/linux"

    /// Returns the directory of the Swift runtime that tests need.
    static func runtimeDirectory(
        for runtime: TestArchiveManifest.Runtime, swift: String, environment: [String: String]
    ) throws(TestArchiveError) -> String {
        let given = (environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(String.init)
        let installed = (environment["PATH"] ?? "").split(separator: ":").compactMap { directory in
            resolvedPath("\(directory)/swift").map { "\(parentDirectory(parentDirectory($0)))/lib/swift/linux" }
        }
        let directories = given + [runtime.directory] + installed + [imageDirectory]
        guard let directory = directories.first(where: { fileExists("\($0)/libswiftCore.so") }) else {
            throw .noRuntime(swift: swift, missing: ["libswiftCore.so"], searched: directories.uniqued())
        }
        let missing = runtime.libraries.filter { !fileExists("\(directory)/\($0)") }
        guard missing.isEmpty else { throw .noRuntime(swift: swift, missing: missing, searched: [directory]) }
        let core = "\(directory)/libswiftCore.so"
        guard let digest = try? SHA256.digest(ofFile: core), digest.description == runtime.digest else {
            throw .otherRuntime(swift: swift, path: core)
        }
        return directory
    }
}
