import CLibrary
import Events
import OperatingSystem
import SwiftPackages
import Text

/// The package under test, its build and its test binaries.
struct SwiftPackage: Sendable {
    let directory: String
    /// The directory of the package at build time.
    let sourceRoot: String
    let environment: [String: String]
    let options: TestOptions

    init(
        directory: String, sourceRoot: String? = nil, environment: [String: String], options: TestOptions
    ) {
        self.directory = directory
        self.sourceRoot = sourceRoot ?? directory
        self.environment = environment
        self.options = options
    }

    /// Returns the command `swift build` or `swift test` with all options, to run in the package.
    ///
    /// `swift test` compiles all modules so that `@testable import` works, even in the release configuration.
    /// `swift build` needs an option for that.
    func swift(_ subcommand: String, _ arguments: [String]) -> Command {
        var all = [subcommand, "-c", options.build.configuration]
        if let system = options.build.system { all += ["--build-system", system] }
        if options.coverage { all.append("--enable-code-coverage") }
        all += options.build.sanitizers.map { "--sanitize=\($0)" }
        if subcommand == "build", options.build.configuration == "release" { all += ["-Xswiftc", "-enable-testing"] }
        return Command(
            "swift", all + options.build.arguments + arguments, environment: environment, directory: directory
        ).hidingMarks
    }

    /// The directory of the build. The environment variable overrides the options, as in SwiftPM.
    var scratchDirectory: String {
        let given = environment["SWIFTPM_BUILD_DIR"] ?? value(of: "--scratch-path") ?? value(of: "--build-path")
        return absolutePath(given ?? ".build", from: sourceRoot)
    }

    /// A Boolean value that indicates whether the manifest declares test targets.
    private var declaresTests: Bool {
        let manifest = try? readFile("\(directory)/Package.swift")
        return manifest.map { String(decoding: $0, as: UTF8.self).contains("testTarget") } ?? true
    }

    /// Returns the built test binaries.
    ///
    /// Their paths are read from files of the build, because calling `swift build` takes at least 0.1 s.
    func testBinaries(_ processes: any ProcessRunner) throws(TestEngineFailure) -> [TestBinary] {
        if let binaries = knownTestBinaries() { return binaries }
        let products = try reportedProductsDirectory(processes)
        let binaries = testBinaries(in: products)
        guard binaries.isEmpty else { return binaries }
        guard declaresTests else { throw .noTestProduct }
        throw options.build.isSkipped ? .notBuilt : .noSwiftTests
    }

    /// Returns the test binaries at their usual paths without calling `swift build`, or `nil` if there are none.
    func knownTestBinaries() -> [TestBinary]? {
        let binaries = knownProductsDirectory.map(testBinaries) ?? []
        return binaries.isEmpty ? nil : binaries
    }

    /// The usual directory of the products, or `nil` if the directory does not exist or the options may select another
    /// one.
    var knownProductsDirectory: String? {
        let crossing = ["--triple", "--arch", "--swift-sdk", "--sdk", "--toolchain", "--destination"]
        guard !crossing.contains(where: { value(of: $0) != nil }) else { return nil }
        let usual =
            options.build.system == "swiftbuild"
            ? "out/Products/\(options.build.configuration == "release" ? "Release" : "Debug")-\(Self.platform)"
            : options.build.configuration
        return resolvedPath("\(scratchDirectory)/\(usual)")
    }

    private func testBinaries(in products: String) -> [TestBinary] {
        let binaries = nativeBinaries(in: products)
        return binaries.isEmpty ? swiftbuildBinaries(in: products) : binaries
    }

    private func reportedProductsDirectory(_ processes: any ProcessRunner) throws(TestEngineFailure) -> String {
        do {
            let output = try processes.capture(swift("build", ["--show-bin-path"]))
            let path = output.text.split(separator: "\n").last.map(String.init) ?? ""
            return path.isEmpty ? scratchDirectory : path
        } catch {
            throw .cannotStart(error)
        }
    }

    /// Returns the `builtTestProducts` in `description.json`. Only that part of the file is parsed.
    private func nativeBinaries(in products: String) -> [TestBinary] {
        guard let text = try? readFile("\(products)/description.json"),
            let key = text.firstOffset(of: #""builtTestProducts""#),
            let start = text[key...].firstIndex(of: UInt8(ascii: "["))
        else { return [] }
        var end = start
        while let bracket = text[end...].firstIndex(of: UInt8(ascii: "]")) {
            end = bracket + 1
            guard let list = try? JSONParser.parse(Array(text[start..<end])).array else { continue }
            let paths = list.compactMap { $0["binaryPath"]?.string }.filter { fileKind($0) == .file }
            return paths.map { TestBinary(path: $0) }
        }
        return []
    }

    /// Returns the runners of the test targets, which `manifest.pif` lists.
    private func swiftbuildBinaries(in products: String) -> [TestBinary] {
        let suffix = "-test-runner"
        let manifest = (try? readText("\(scratchDirectory)/manifest.pif")) ?? ""
        return ((try? listDirectory(products)) ?? []).filter { $0.hasSuffix(suffix) && manifest.contains("\"\($0)\"") }
            .map { TestBinary(path: "\(products)/\($0)") }
    }

    /// Returns the directory of the toolchain's programs that are not on the search path, such as llvm-cov.
    func toolchainDirectory(_ processes: any ProcessRunner) throws(TestEngineFailure) -> String {
        let found: String?
        do throws(SpawnError) {
            found = try Toolchain.binaries(
                with: "llvm-cov", environment: environment, directory: directory, processes: processes)
        } catch {
            throw .cannotStart(error)
        }
        guard let found else { throw .noCoverage("the Swift toolchain contains no llvm-cov") }
        return found
    }

    /// The option that makes SwiftPM discover the tests although an entry point exists.
    static let discovery = "--enable-test-discovery"

    /// The relative path of `LinuxMain.swift`, which disables test discovery on Linux, or `nil` if there is no such
    /// file.
    var testEntryPoint: String? {
        #if os(Linux)
            guard !options.build.arguments.contains(Self.discovery) else { return nil }
            return ["Tests/LinuxMain.swift", "LinuxMain.swift"].first { fileExists("\(directory)/\($0)") }
        #else
            return nil
        #endif
    }

    private func value(of option: String) -> String? {
        let arguments = options.build.arguments
        for (index, argument) in arguments.enumerated() {
            if argument == option { return index + 1 < arguments.count ? arguments[index + 1] : nil }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
        }
        return nil
    }

    private static var platform: String {
        #if os(Linux)
            "linux"
        #else
            "macosx"
        #endif
    }
}

/// A test binary with XCTest cases, Swift Testing functions, or both.
struct TestBinary: Sendable, Equatable {
    let path: String
    /// The format of the binary's event stream, or `nil` before its tests are listed and without Swift Testing.
    var eventStream: EventStreamForm?
}

extension SwiftPackage {
    /// Builds the package with its tests, and sends progress and diagnostics. Returns `false` if the build failed.
    func build(
        _ processes: any ProcessRunner, _ cancellation: Cancellation, events: any EventSink
    ) throws(TestEngineFailure) -> Bool {
        var hasNothingToBuild = false
        var refusal: String?
        func emit(_ kind: LaneEvent.Kind) {
            if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.noSanitizer) {
                refusal = refusal ?? fault.message
            } else if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.nothingToBuild) {
                hasNothingToBuild = true
            } else {
                events.send(kind)
            }
        }
        let build: BuildRun
        do {
            build = try BuildRun(
                swift("build", ["--build-tests"]), root: directory, with: processes,
                limits: RunLimits(cancellation: cancellation), send: emit)
        } catch {
            throw .cannotStart(error)
        }
        guard !build.report.succeeded else { return true }
        if let refusal { throw .noSanitizer(refusal) }
        if hasNothingToBuild { throw .nothingToBuild }
        if !build.hasErrors, build.report.stoppedBy == nil {
            // The lines may explain a failure without a diagnostic.
            let words = build.unknownLines.suffix(40)
            let text =
                words.isEmpty
                ? "swift build ended with \(ProcessEnding(build.report))" : words.joined(separator: "\n")
            events.send(.buildDiagnostic(BuildDiagnostic(.error, text)))
        }
        return false
    }

    /// SwiftPM's message for a package with only plugins.
    private static let nothingToBuild = "The package does not contain a buildable target"

    /// The compiler's message for a sanitizer that is not available.
    private static let noSanitizer = "unsupported option '-sanitize="
}

/// A record of the last build. `swift build` is skipped if nothing has changed since.
///
/// Like `swift build`, it compares the size, times and number of each file in the package's directory and of the
/// products. A build that may depend on other files always calls `swift build`. Such files are other inputs of a
/// manifest, dependencies in other directories, plugins and system libraries, and the choice of a version manager such
/// as swiftly, whose `swift` is a program of its own.
struct BuildStamp {
    let package: SwiftPackage

    /// The maximum number of files to check.
    private static let maximumFiles = 20_000
    private static let variables = [
        "SWIFT", "SDKROOT", "CC", "CXX", "PKG_CONFIG", "CPATH", "C_INCLUDE", "LIBRARY_PATH", "LD_", "TOOLCHAINS",
        "DEVELOPER_DIR",
    ]

    /// The programs to which `swift` is a link in every toolchain.
    private static let compilers = ["/swift-driver", "/swift-frontend"]

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
        guard let tool = directories.lazy.compactMap({ resolvedPath("\($0)/swift") }).first,
            Self.compilers.contains(where: tool.hasSuffix), hash.add(file: tool)
        else { return nil }
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

/// A hash of strings and files.
struct StateHash {
    private var hash = StableHash()

    var value: UInt64 { hash.value }

    mutating func add(_ text: String) {
        hash.add(text)
        // A value that is not a byte separates strings.
        hash.add(0x1_0000)
    }

    /// Adds the path, size, times and number of a file, and follows links. Returns `false` if it does not exist.
    mutating func add(file path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        add(path)
        #if os(Linux)
            let times = [status.st_mtim, status.st_ctim]
        #else
            let times = [status.st_mtimespec, status.st_ctimespec]
        #endif
        for time in times {
            hash.add(UInt64(bitPattern: Int64(time.tv_sec)))
            hash.add(UInt64(bitPattern: Int64(time.tv_nsec)))
        }
        hash.add(UInt64(status.st_ino))
        hash.add(UInt64(bitPattern: Int64(status.st_size)))
        return true
    }
}
