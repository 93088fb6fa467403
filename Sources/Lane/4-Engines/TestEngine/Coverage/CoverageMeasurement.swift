import OperatingSystem
import ToolOutput

/// The coverage of test processes, computed with the LLVM tools of the toolchain. The tools of Linux distributions do
/// not support the format, because they are older.
struct CoverageMeasurement: Sendable {
    let package: SwiftPackage
    let processes: any ProcessRunner
    /// A private directory for the profiles of test processes.
    let directory: String

    /// The value of `LLVM_PROFILE_FILE`. Any number of processes merge their counters into up to four files.
    var profile: String { "\(directory)/%4m.profraw" }

    /// Returns the report without `testModules`, generated files and dependencies.
    func report(_ binaries: [TestBinary], testModules: Set<String>) throws(TestEngineFailure) -> CoverageReport {
        let names = try convertingFileErrors(to: TestEngineFailure.self, of: listDirectory(directory))
        let profiles = names.filter { $0.hasSuffix(".profraw") || $0.hasSuffix(".profdata") }.map {
            "\(directory)/\($0)"
        }
        guard !profiles.isEmpty else {
            let unmeasured = package.options.build.isSkipped ? "the tests were built without '--coverage', or " : ""
            throw .noCoverage(unmeasured + "no test process exited normally, so there are no coverage profiles")
        }
        let tools = try package.toolchainDirectory(processes)
        let merged = "\(directory)/all.profdata"
        _ = try run("\(tools)/llvm-profdata", ["merge", "-sparse", "-o", merged] + profiles)
        let objects = binaries.dropFirst().flatMap { ["-object", $0.path] }
        let exported = try run(
            "\(tools)/llvm-cov",
            [
                "export", "-skip-functions", "-skip-expansions", "-instr-profile=\(merged)",
                "-ignore-filename-regex=^\(Self.quoted(package.scratchDirectory))/", binaries[0].path,
            ] + objects)
        return CoverageReport(files: try files(in: exported, testModules))
    }

    /// Keeps the report of the last `swift test`, because the next `swift test` replaces it.
    func keepReportOfSwiftTest() throws(TestEngineFailure) {
        let command = package.swift("test", ["--show-codecov-path"])
        let output = String(decoding: try run(command.executable, command.arguments), as: UTF8.self)
        guard let path = output.split(separator: "\n").last.map(String.init), let json = try? readFile(path) else {
            throw .noCoverage("'swift test' wrote no coverage report")
        }
        let kept = ((try? listDirectory(directory)) ?? []).count
        try convertingFileErrors(to: TestEngineFailure.self, of: writeFile(json, to: "\(directory)/\(kept).json"))
    }

    /// Returns the merged coverage of all kept reports.
    func reportOfSwiftTest(testModules: Set<String>) throws(TestEngineFailure) -> CoverageReport {
        let names = ((try? listDirectory(directory)) ?? []).filter { $0.hasSuffix(".json") }
        let reports = names.compactMap { try? readFile("\(directory)/\($0)") }
        guard !reports.isEmpty else { throw .noCoverage("'swift test' wrote no report") }
        var found: [FileCoverage] = []
        for json in reports { found += try files(in: json, testModules) }
        return CoverageReport(files: found)
    }

    /// Returns the package's own files with code in a report of `llvm-cov`.
    private func files(in json: [UInt8], _ testModules: Set<String>) throws(TestEngineFailure) -> [FileCoverage] {
        let all: [FileCoverage]
        do throws(CoverageExport.Malformed) {
            all = try CoverageExport(json: json).files
        } catch {
            throw .noCoverage("llvm-cov wrote what is not its usual JSON")
        }
        return all.compactMap { file in
            guard !file.lines.isEmpty else { return nil }
            let path = relativePath(file.path, to: package.sourceRoot)
            let isOwn = path != file.path && !file.path.hasPrefix(package.scratchDirectory + "/")
            let isTest =
                path.hasPrefix("Tests/") || path.split(separator: "/").contains { testModules.contains(String($0)) }
            return isOwn && !isTest ? FileCoverage(path: path, lines: file.lines) : nil
        }
    }

    /// Returns a regular expression that matches only a path.
    private static func quoted(_ path: String) -> String {
        path.map { ".[]{}()*+?^$|\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
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
