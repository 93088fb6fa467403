import Files
import JSON
import Processes

/// The package under test: how it is built, and where its tests are then.
struct SwiftPackage: Sendable {
    let directory: String
    let environment: [String: String]
    let options: TestOptions

    /// `swift build` or `swift test` with all that was asked for, run in the package.
    func swift(_ subcommand: String, _ arguments: [String]) -> Command {
        var all = [subcommand, "-c", options.build.configuration]
        if let system = options.build.system { all += ["--build-system", system] }
        if options.coverage { all.append("--enable-code-coverage") }
        all += options.build.sanitizers.map { "--sanitize=\($0)" }
        return Command(
            "swift", all + options.build.arguments + arguments, environment: environment, directory: directory
        ).hidingMarks
    }

    /// The directory into which SwiftPM builds. The variable wins over the options, as in SwiftPM itself.
    var scratchDirectory: String {
        let given = environment["SWIFTPM_BUILD_DIR"] ?? value(of: "--scratch-path") ?? value(of: "--build-path")
        return absolutePath(given ?? ".build", from: directory)
    }

    /// The built test binaries.
    ///
    /// Where they are is read from the build's own notes, as asking `swift build` costs a tenth of a second or more.
    func testBinaries(_ processes: any ProcessRunner) throws(TestEngineFailure) -> [TestBinary] {
        if let binaries = knownTestBinaries() { return binaries }
        let products = try toldProductsDirectory(processes)
        let binaries = testBinaries(in: products)
        guard !binaries.isEmpty else { throw .noTestProduct(searched: relativePath(products, to: directory)) }
        return binaries
    }

    /// The same without asking; `nil` when they are not where they usually are.
    func knownTestBinaries() -> [TestBinary]? {
        let binaries = knownProductsDirectory.map(testBinaries) ?? []
        return binaries.isEmpty ? nil : binaries
    }

    /// Where a build usually puts what it makes; `nil` where it may be elsewhere, or nothing was made.
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

    private func toldProductsDirectory(_ processes: any ProcessRunner) throws(TestEngineFailure) -> String {
        do {
            let told = try processes.capture(swift("build", ["--show-bin-path"]))
            let path = told.text.split(separator: "\n").last.map(String.init) ?? ""
            return path.isEmpty ? scratchDirectory : path
        } catch {
            throw .cannotStart(error)
        }
    }

    /// From `description.json`, whose `builtTestProducts` names them; only that part of a large file is parsed.
    private func nativeBinaries(in products: String) -> [TestBinary] {
        guard let text = try? readFile("\(products)/description.json"),
            let key = text.firstRange(of: Array(#""builtTestProducts""#.utf8)),
            let start = text[key.upperBound...].firstIndex(of: UInt8(ascii: "["))
        else { return [] }
        var end = start
        while let bracket = text[end...].firstIndex(of: UInt8(ascii: "]")) {
            end = bracket + 1
            guard let list = try? JSONParser.parse(Array(text[start..<end])).array else { continue }
            return list.compactMap { $0["binaryPath"]?.string }
                .filter { fileKind($0) == .file }
                .map { TestBinary(path: $0) }
        }
        return []
    }

    /// One runner for each test target; `manifest.pif` tells which targets there still are.
    private func swiftbuildBinaries(in products: String) -> [TestBinary] {
        let suffix = "-test-runner"
        let manifest = (try? readText("\(scratchDirectory)/manifest.pif")) ?? ""
        let names = (try? listDirectory(products)) ?? []
        return names.filter { $0.hasSuffix(suffix) && manifest.contains("\"\($0)\"") }
            .map { TestBinary(path: "\(products)/\($0)") }
    }

    /// The option that has SwiftPM find the tests although there is such a file.
    static let discovery = "--enable-test-discovery"

    /// A file of the years before SwiftPM found tests by itself, relative to the package: on Linux it still says which
    /// there are.
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

/// An executable that holds tests of either library, or of both.
struct TestBinary: Sendable, Equatable {
    let path: String
    /// What its Swift Testing half understands; `nil` when it has none, found out by listing.
    var eventStream: EventStreamForm?
}
