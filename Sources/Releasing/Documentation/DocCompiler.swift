import Diagnostics
import Files
import LaneEvents
import LaneRun
import Processes

/// The toolchain's `docc`: symbol graphs and a catalog become a site, several sites become one.
struct DocCompiler: Sendable {
    let tools: StepTools
    /// An absolute path, or a name to be searched for.
    let executable: String
    /// The package's folder.
    let directory: String
    /// A copy of the site's template, where `docc` cannot use its own.
    private var template: String?

    static func find(_ tools: StepTools) throws(StepFailure) -> DocCompiler {
        let toolchain = try Toolchain.find(tools)
        let own = "\(toolchain.binaries)/docc"
        return DocCompiler(
            tools: tools, executable: fileExists(own) ? own : "docc", directory: tools.context.directory)
    }

    /// Makes what `docc` needs beside itself in a folder.
    mutating func prepare(in folder: String) throws(StepFailure) {
        template = try onFiles { () throws(FileError) in
            try DocTemplate.copy(of: executable, tools.context.environment, to: "\(folder)/template")
        }
    }

    struct Page {
        let target: PackageDescription.Target
        /// A folder of symbol graphs; beside it lies what DocC finds wrong.
        let graphs: String
        /// The folder for the site.
        let output: String
        let basePath: String?
    }

    /// Makes the site of one target and gives what DocC finds wrong with its words.
    func convert(_ page: Page) throws(StepFailure) -> [BuildDiagnostic] {
        let report = "\(page.graphs).diagnostics.json"
        var arguments = ["convert"]
        if let catalog = catalog(of: page.target) { arguments.append(catalog) }
        arguments += [
            "--additional-symbol-graph-dir", page.graphs, "--output-path", page.output, "--diagnostics-file", report,
            "--fallback-display-name", page.target.moduleName, "--fallback-bundle-identifier", page.target.moduleName,
        ]
        if let path = page.basePath { arguments += ["--hosting-base-path", path] }
        let (run, output) = try call(arguments)
        let found = (try? readFile(report)).map { DocReport.diagnostics(in: $0, root: directory) } ?? []
        guard run.succeeded else {
            for diagnostic in found { tools.context.send(.buildDiagnostic(diagnostic)) }
            let isExplained = found.contains { $0.severity == .error }
            throw StepFailure(
                "docc could not make the documentation of '\(page.target.name)'"
                    + (isExplained ? "" : ": \(String(decoding: output.suffix(2000), as: UTF8.self))"))
        }
        return found
    }

    func merge(_ sites: [String], named name: String, into output: String) throws(StepFailure) {
        let (run, said) = try call(
            ["merge"] + sites + ["--output-path", output, "--synthesized-landing-page-name", name])
        guard run.succeeded else {
            throw StepFailure("docc could not put the sites together: \(String(decoding: said, as: UTF8.self))")
        }
    }

    private func call(_ arguments: [String]) throws(StepFailure) -> (report: ExitReport, output: [UInt8]) {
        do throws(StepFailure) {
            var environment = tools.context.environment
            if let template { environment[DocTemplate.variable] = template }
            let done = try tools.attempt(
                executable, arguments, in: directory, showing: .nothing, environment: environment)
            guard done.report.stoppedBy == nil else { throw StepFailure("docc was stopped", cause: .cancelled) }
            return done
        } catch {
            guard error.status == ExitStatus.toolMissing.rawValue else { throw error }
            throw StepFailure(
                status: error.status, "\(error.message)\nhint: docc comes with the toolchains of swift.org and of Xcode"
            )
        }
    }

    /// The target's own articles and pictures.
    private func catalog(of target: PackageDescription.Target) -> String? {
        let names = (try? listDirectory("\(directory)/\(target.path)")) ?? []
        return names.first { $0.hasSuffix(".docc") }.map { "\(target.path)/\($0)" }
    }
}
