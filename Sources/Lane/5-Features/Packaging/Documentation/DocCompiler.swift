import CLibrary
import Events
import OperatingSystem
import SwiftPackages
import Text

/// The toolchain's `docc`, which converts symbol graphs and a catalog to a website, and merges websites.
struct DocCompiler: Sendable {
    let tools: ToolRunner
    /// The absolute path, or a name to search in `PATH`.
    let executable: String
    /// The directory of the package.
    let directory: String
    /// The path of a copy of the template, if `docc` cannot use its own.
    private var template: String?

    static func find(_ tools: ToolRunner) throws(OperationFailure) -> DocCompiler {
        let toolchain = try Toolchain.find(tools)
        let own = "\(toolchain.binaries)/docc"
        return DocCompiler(
            tools: tools, executable: fileExists(own) ? own : "docc", directory: tools.directory)
    }

    /// Copies the template into a directory if necessary.
    mutating func prepare(in parent: String) throws(OperationFailure) {
        template = try convertingFileErrors(
            of: DocTemplate.copy(of: executable, tools.environment, to: "\(parent)/template"))
    }

    /// Creates the website of a target. Returns the diagnostics of DocC.
    ///
    /// - Parameters:
    ///   - graphs: The directory of symbol graphs. DocC writes its diagnostics file beside it.
    ///   - basePath: The URL path of the website on its server, or `nil` for the root.
    func convert(
        _ target: PackageDescription.Target, _ graphs: String, to output: String, basePath: String?
    ) throws(OperationFailure) -> [BuildDiagnostic] {
        let report = "\(graphs).diagnostics.json"
        var arguments = ["convert"]
        if let catalog = catalog(of: target) { arguments.append(catalog) }
        arguments += [
            "--additional-symbol-graph-dir", graphs, "--output-path", output, "--diagnostics-file", report,
            "--fallback-display-name", target.moduleName, "--fallback-bundle-identifier", target.moduleName,
        ]
        if let basePath { arguments += ["--hosting-base-path", basePath] }
        let (run, output) = try call(arguments)
        let found = (try? readFile(report)).map { DocReport.diagnostics(in: $0, root: directory) } ?? []
        guard run.succeeded else {
            for diagnostic in found { tools.events.send(.buildDiagnostic(diagnostic)) }
            let isExplained = found.contains { $0.severity == .error }
            throw OperationFailure(
                "docc could not build the documentation of '\(target.name)'"
                    + (isExplained ? "" : ": \(String(decoding: output.suffix(2000), as: UTF8.self))"))
        }
        return found
    }

    func merge(_ sites: [String], named name: String, into output: String) throws(OperationFailure) {
        let (run, output) = try call(
            ["merge"] + sites + ["--output-path", output, "--synthesized-landing-page-name", name])
        guard run.succeeded else {
            throw OperationFailure("docc could not merge the websites: \(String(decoding: output, as: UTF8.self))")
        }
    }

    private func call(_ arguments: [String]) throws(OperationFailure) -> (report: ExitReport, output: [UInt8]) {
        do throws(OperationFailure) {
            var environment = tools.environment
            if let template { environment[DocTemplate.variable] = template }
            let done = try tools.attempt(
                executable, arguments, in: directory, environment: environment)
            guard done.report.stoppedBy == nil else { throw OperationFailure("docc was stopped", cause: .cancelled) }
            return done
        } catch {
            guard error.status == ExitStatus.toolMissing.rawValue else { throw error }
            throw OperationFailure(
                status: error.status, "\(error.message)\nhint: docc comes with the toolchains of swift.org and of Xcode"
            )
        }
    }

    /// Returns the path of a target's documentation catalog, or `nil` if there is none.
    private func catalog(of target: PackageDescription.Target) -> String? {
        let names = (try? listDirectory("\(directory)/\(target.path)")) ?? []
        return names.first { $0.hasSuffix(".docc") }.map { "\(target.path)/\($0)" }
    }
}

/// A parser of the diagnostics file of DocC.
enum DocReport {
    static func diagnostics(in json: [UInt8], root: String) -> [BuildDiagnostic] {
        let found = (try? JSONParser.parse(json))?["diagnostics"]?.array ?? []
        return found.compactMap { node in
            guard let text = node["summary"]?.string,
                let severity = BuildDiagnostic.Severity(rawValue: node["severity"]?.string ?? "")
            else { return nil }
            let more = node["explanation"]?.string.map { "\n\($0)" } ?? ""
            return BuildDiagnostic(severity, text + more, at: location(node, root))
        }
    }

    private static func location(_ node: JSONNode, _ root: String) -> SourceLocation? {
        guard let path = node["source"]?.string.flatMap(URLPath.ofFile), let start = node["range"]?["start"],
            let line = start["line"]?.integer
        else { return nil }
        return SourceLocation(path: relativePath(path, to: root), line: line, column: start["column"]?.integer)
    }
}

/// The template of DocC websites. DocC preserves the owner of the template's files, which fails in a container if
/// another user owns them. A copy belongs to the current user.
enum DocTemplate {
    /// The environment variable for another template.
    static let variable = "DOCC_HTML_DIR"

    /// Copies the template to a directory if necessary. Returns the directory, or `nil` if `docc` can use its own
    /// template.
    ///
    /// - Parameter executable: The path of `docc`.
    static func copy(of executable: String, _ environment: [String: String], to directory: String) throws(FileError)
        -> String?
    {
        let own = resolvedPath(executable).map { "\(parentDirectory(parentDirectory($0)))/share/docc/render" }
        guard let template = environment[variable] ?? own, isDirectory(template), isForeign(template) else {
            return nil
        }
        try copy(template, to: directory)
        return directory
    }

    private static func isForeign(_ path: String) -> Bool {
        var status = stat()
        return geteuid() != 0 && stat(path, &status) == 0 && status.st_uid != geteuid()
    }

    private static func copy(_ source: String, to target: String) throws(FileError) {
        guard isDirectory(source) else { return try writeFile(readFile(source), to: target) }
        try makeDirectories(target)
        for name in try listDirectory(source) { try copy("\(source)/\(name)", to: "\(target)/\(name)") }
    }
}
