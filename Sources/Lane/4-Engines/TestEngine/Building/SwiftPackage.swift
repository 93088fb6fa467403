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

    /// A Boolean value that indicates whether the build is skipped for a package with test targets.
    private var isMissingBuild: Bool {
        guard options.build.isSkipped else { return false }
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
        guard !binaries.isEmpty else { throw isMissingBuild ? .notBuilt : .noTestProduct }
        return binaries
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
