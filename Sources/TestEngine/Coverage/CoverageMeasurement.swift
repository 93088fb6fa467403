import Files
import JSON
import Processes

/// The coverage of test processes, computed with the LLVM tools of the toolchain. Those of a Linux distribution are
/// older and do not support the format.
struct CoverageMeasurement: Sendable {
    let package: SwiftPackage
    let processes: any ProcessRunner
    /// A private directory for the profiles of test processes.
    let directory: String

    /// The value of `LLVM_PROFILE_FILE`: up to four files that any number of processes merge their counters into.
    var profile: String { "\(directory)/%4m.profraw" }

    /// Returns the report without `testModules`, generated files and dependencies.
    func report(_ binaries: [TestBinary], testModules: Set<String>) throws(TestEngineFailure) -> CoverageReport {
        let names = try onFiles { () throws(FileError) in try listDirectory(directory) }
        let profiles = names.filter { $0.hasSuffix(".profraw") }.map { "\(directory)/\($0)" }
        guard !profiles.isEmpty else {
            throw .noCoverage("no test process exited normally, so there are no coverage profiles")
        }
        let tools = try toolDirectory()
        let merged = "\(directory)/all.profdata"
        _ = try run("\(tools)/llvm-profdata", ["merge", "-sparse", "-o", merged] + profiles)
        let objects = binaries.dropFirst().flatMap { ["-object", $0.path] }
        let exported = try run(
            "\(tools)/llvm-cov",
            ["export", "-summary-only", "-instr-profile=\(merged)", binaries[0].path] + objects)
        return try report(from: exported, testModules)
    }

    /// Keeps the report of the last `swift test`, because the next one replaces it.
    func keepReportOfSwiftTest() throws(TestEngineFailure) {
        let command = package.swift("test", ["--show-codecov-path"])
        let told = String(decoding: try run(command.executable, command.arguments), as: UTF8.self)
        guard let path = told.split(separator: "\n").last.map(String.init), let json = try? readFile(path) else {
            throw .noCoverage("'swift test' wrote no coverage report")
        }
        let kept = ((try? listDirectory(directory)) ?? []).count
        try onFiles { () throws(FileError) in try writeFile(json, to: "\(directory)/\(kept).json") }
    }

    /// Returns the best result for each file in the kept reports. After retries, it may be slightly too high.
    func reportOfSwiftTest(testModules: Set<String>) throws(TestEngineFailure) -> CoverageReport {
        var best: [String: CoverageReport.File] = [:]
        var isThere = false
        for name in ((try? listDirectory(directory)) ?? []) where name.hasSuffix(".json") {
            guard let json = try? readFile("\(directory)/\(name)") else { continue }
            isThere = true
            for file in try report(from: json, testModules).files where file.covered >= best[file.path]?.covered ?? 0 {
                best[file.path] = file
            }
        }
        guard isThere else { throw .noCoverage("'swift test' left no report") }
        return CoverageReport(files: best.values.sorted { $0.path < $1.path })
    }

    private func report(from json: [UInt8], _ testModules: Set<String>) throws(TestEngineFailure) -> CoverageReport {
        guard let files = (try? JSONParser.parse(json))?["data"]?.array?.first?["files"]?.array else {
            throw .noCoverage("llvm-cov wrote what is not its usual JSON")
        }
        let kept = files.compactMap { file -> CoverageReport.File? in
            guard let name = file["filename"]?.string, let lines = file["summary"]?["lines"],
                let count = lines["count"]?.integer, let covered = lines["covered"]?.integer, count > 0
            else { return nil }
            let path = relativePath(name, to: package.directory)
            let isOwn = path != name && !name.hasPrefix(package.scratchDirectory + "/")
            let isTest =
                path.hasPrefix("Tests/") || path.split(separator: "/").contains { testModules.contains(String($0)) }
            return isOwn && !isTest ? CoverageReport.File(path: path, lines: count, covered: covered) : nil
        }
        return CoverageReport(files: kept.sorted { $0.path < $1.path })
    }

    /// Returns the directory of the tools of the building `swift`. A wrapper is asked for its toolchain.
    private func toolDirectory() throws(TestEngineFailure) -> String {
        for directory in (package.environment["PATH"] ?? "").split(separator: ":") {
            guard let swift = resolvedPath("\(directory)/swift") else { continue }
            let tools = parentDirectory(swift)
            if fileExists("\(tools)/llvm-cov"), lastPathComponent(swift).hasPrefix("swift") { return tools }
            break
        }
        let told = try run("swift", ["-print-target-info"])
        let resources = (try? JSONParser.parse(told))?["paths"]?["runtimeResourcePath"]?.string
        guard let tools = resources.map({ "\(parentDirectory(parentDirectory($0)))/bin" }),
            fileExists("\(tools)/llvm-cov")
        else { throw .noCoverage("the Swift toolchain contains no llvm-cov") }
        return tools
    }

    private func run(_ tool: String, _ arguments: [String]) throws(TestEngineFailure) -> [UInt8] {
        let command = Command(tool, arguments, environment: package.environment, directory: package.directory)
        let done: CapturedRun
        do { done = try processes.capture(command) } catch { throw .cannotStart(error) }
        guard done.report.succeeded else {
            throw .noCoverage("\(lastPathComponent(tool)) failed: \(done.errorText)")
        }
        return done.standardOutput
    }
}
