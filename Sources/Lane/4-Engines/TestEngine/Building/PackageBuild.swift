import Events
import OperatingSystem
import SwiftPackages

/// A build of the package with its tests. It sends progress and diagnostics as events.
struct PackageBuild {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let send: @Sendable (LaneEvent.Kind) -> Void

    /// Runs the build. Returns `false` if it failed.
    func run() throws(TestEngineFailure) -> Bool {
        var hasNothingToBuild = false
        var refusal: String?
        func emit(_ kind: LaneEvent.Kind) {
            if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.noSanitizer) {
                refusal = refusal ?? fault.message
            } else if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.nothingToBuild) {
                hasNothingToBuild = true
            } else {
                send(kind)
            }
        }
        let build: BuildRun
        do {
            build = try BuildRun(
                package.swift("build", ["--build-tests"]), root: package.directory, with: processes,
                limits: RunLimits(cancellation: cancellation), send: emit)
        } catch {
            throw .cannotStart(error)
        }
        guard !build.report.succeeded else { return true }
        if let refusal { throw .noSanitizer(refusal) }
        if hasNothingToBuild { throw .nothingToBuild }
        if !build.hasErrors, build.report.stoppedBy == nil { sendUnknownLines(of: build) }
        return false
    }

    /// SwiftPM's message for a package with only plugins.
    private static let nothingToBuild = "The package does not contain a buildable target"

    /// The compiler's message for a sanitizer that is not available.
    private static let noSanitizer = "unsupported option '-sanitize="

    /// Sends the unknown lines of a build that failed without a diagnostic.
    private func sendUnknownLines(of build: BuildRun) {
        let words = build.unknownLines.suffix(40)
        let text =
            words.isEmpty ? "swift build ended with \(ProcessEnding(build.report))" : words.joined(separator: "\n")
        send(.buildDiagnostic(BuildDiagnostic(.error, text)))
    }
}

/// A record of the last build. `swift build` is skipped if nothing has changed since.
///
/// Like `swift build`, it compares the size, times and number of each file in the package's directory and of the
/// products. A build that may depend on other files always calls `swift build`. Such files are other inputs of a
/// manifest, dependencies in other directories, plugins and system libraries.
struct BuildStamp {
    let package: SwiftPackage

    /// The maximum number of files to check.
    private static let maximumFiles = 20_000
    private static let variables = [
        "SWIFT", "SDKROOT", "CC", "CXX", "PKG_CONFIG", "CPATH", "C_INCLUDE", "LIBRARY_PATH", "LD_", "TOOLCHAINS",
        "DEVELOPER_DIR",
    ]

    private var path: String { "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration).stamp" }

    /// Returns a hash of the inputs of a build, or `nil` if they are unknown.
    func inputs() -> UInt64? {
        guard ManifestText(directory: package.directory).dependsOnlyOnItsDirectory else { return nil }
        var hash = StateHash()
        let build = package.swift("build", ["--build-tests"])
        for word in build.arguments { hash.add(word) }
        for (name, value) in package.environment.sorted(by: { $0.key < $1.key })
        where Self.variables.contains(where: name.hasPrefix) { hash.add("\(name)=\(value)") }
        let directories = (package.environment["PATH"] ?? "").split(separator: ":")
        guard let tool = directories.lazy.compactMap({ resolvedPath("\($0)/swift") }).first, hash.add(file: tool) else {
            return nil
        }
        var files = 0
        return add(directory: package.directory, to: &hash, &files) ? hash.value : nil
    }

    /// Returns a Boolean value that indicates whether the last build had the same inputs and its products exist.
    func isFresh(_ inputs: UInt64?) -> Bool {
        guard let inputs, let products = products() else { return false }
        return (try? readText(path)) == Self.text(inputs, products)
    }

    /// Records a successful build. `inputs` is the hash before the build, so a change during the build is built next
    /// time.
    func save(_ inputs: UInt64?) {
        guard let inputs, let products = products() else {
            try? removeTree(path)
            return
        }
        // Without the record, the next run builds.
        try? writeFile(Self.text(inputs, products), to: path)
    }

    private static func text(_ inputs: UInt64, _ products: UInt64) -> String { "\(inputs) \(products)\n" }

    /// Returns a hash of the test binaries, and of the libraries, programs and resource bundles in their directory.
    private func products() -> UInt64? {
        guard let directory = package.knownProductsDirectory, let binaries = package.knownTestBinaries(),
            let names = try? listDirectory(directory)
        else { return nil }
        var hash = StateHash()
        var files = 0
        for binary in binaries where !hash.add(file: binary.path) { return nil }
        for name in names {
            let path = "\(directory)/\(name)"
            switch fileKind(path) {
            case .directory:
                let isBundle = name.hasSuffix(".resources") || name.hasSuffix(".bundle")
                if isBundle, !add(directory: path, to: &hash, &files) { return nil }
            default: if !hash.add(file: path) { return nil }
            }
        }
        return hash.value
    }

    private func add(directory: String, to hash: inout StateHash, _ files: inout Int) -> Bool {
        guard let names = try? listDirectory(directory) else { return false }
        for name in names {
            let path = "\(directory)/\(name)"
            files += 1
            guard files < Self.maximumFiles else { return false }
            switch fileKind(path) {
            case .directory:
                let isHidden = name.hasPrefix(".") && directory == package.directory
                if isHidden || path == package.scratchDirectory { continue }
                if !add(directory: path, to: &hash, &files) { return false }
            case .link where isDirectory(path): return false
            default: if !hash.add(file: path) { return false }
            }
        }
        return true
    }
}
