import Files
import Processes

/// Knows when `swift build` would find nothing to do, so that its fifth of a second is not spent on finding that out.
///
/// Like the build itself it goes by size, times and number of each file, of everything below the package's folder and of
/// what was built. Where a build may depend on more than that (a manifest that looks around, dependencies in other
/// folders, plugins, libraries of the system) it knows nothing, and the build is asked.
struct BuildStamp {
    let package: SwiftPackage

    /// More files than this are not worth looking at.
    private static let maximumFiles = 20_000
    private static let variables = [
        "SWIFT", "SDKROOT", "CC", "CXX", "PKG_CONFIG", "CPATH", "C_INCLUDE", "LIBRARY_PATH", "LD_", "TOOLCHAINS",
        "DEVELOPER_DIR",
    ]

    private var path: String { "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration).stamp" }

    /// What the build would start from now; `nil` where that cannot be told.
    func inputs() -> UInt64? {
        guard PackageManifest(directory: package.directory).keepsToItsFolder else { return nil }
        var mark = Mark()
        let build = package.swift("build", ["--build-tests"])
        for word in build.arguments { mark.add(word) }
        for (name, value) in package.environment.sorted(by: { $0.key < $1.key })
        where Self.variables.contains(where: name.hasPrefix) { mark.add("\(name)=\(value)") }
        let folders = (package.environment["PATH"] ?? "").split(separator: ":")
        guard let tool = folders.lazy.compactMap({ resolvedPath("\($0)/swift") }).first, mark.add(file: tool) else {
            return nil
        }
        var files = 0
        return add(folder: package.directory, to: &mark, &files) ? mark.value : nil
    }

    /// Whether the last build started from just this, and what it made is still there.
    func isFresh(_ inputs: UInt64?) -> Bool {
        guard let inputs, let products = products() else { return false }
        return (try? readText(path)) == Self.text(inputs, products)
    }

    /// Notes that a build has succeeded. `inputs` are those from before it: what changed meanwhile is built next time.
    func save(_ inputs: UInt64?) {
        guard let inputs, let products = products() else {
            try? removeTree(path)
            return
        }
        // Without the note the next run builds, which is never wrong.
        try? writeFile(Self.text(inputs, products), to: path)
    }

    private static func text(_ inputs: UInt64, _ products: UInt64) -> String { "\(inputs) \(products)\n" }

    /// The binaries and what they need when they run: libraries and programs beside them, and the bundles of resources.
    private func products() -> UInt64? {
        guard let folder = package.knownProductsDirectory, let binaries = package.knownTestBinaries(),
            let names = try? listDirectory(folder)
        else { return nil }
        var mark = Mark()
        var files = 0
        for binary in binaries where !mark.add(file: binary.path) { return nil }
        for name in names {
            let path = "\(folder)/\(name)"
            switch fileKind(path) {
            case .directory:
                let isBundle = name.hasSuffix(".resources") || name.hasSuffix(".bundle")
                if isBundle, !add(folder: path, to: &mark, &files) { return nil }
            default: if !mark.add(file: path) { return nil }
            }
        }
        return mark.value
    }

    private func add(folder: String, to mark: inout Mark, _ files: inout Int) -> Bool {
        guard let names = try? listDirectory(folder) else { return false }
        for name in names {
            let path = "\(folder)/\(name)"
            files += 1
            guard files < Self.maximumFiles else { return false }
            switch fileKind(path) {
            case .directory:
                let isHidden = name.hasPrefix(".") && folder == package.directory
                if isHidden || path == package.scratchDirectory { continue }
                if !add(folder: path, to: &mark, &files) { return false }
            case .link where isDirectory(path): return false
            default: if !mark.add(file: path) { return false }
            }
        }
        return true
    }
}
