package import Actions
import Events
import Expressions
package import LaneModel
package import OperatingSystem
import SwiftPackages
import Text

/// The `docs` action: builds the documentation of a package's libraries as a website. The package needs no plugin for
/// it.
package struct DocsAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "docs", "Build the documentation as a website with DocC",
        settings: [
            SettingSchema("targets", .list(.string), "The targets; by default the targets of all library products"),
            SettingSchema("output", .path, "The directory of the website", default: .string("dist/docs")),
            SettingSchema("base-path", .string, "The path of the website on its host, such as /tracer"),
            SettingSchema("warnings-as-errors", .bool, "Treat warnings as errors"),
            SettingSchema("require-comments", .bool, "Fail if a public declaration has no comment"),
        ],
        outputs: [
            ActionOutput("path", .string, "The directory of the website"),
            ActionOutput("modules", .list, "The documented modules"),
            ActionOutput("warnings", .integer, "The number of warnings"),
        ],
        isCheck: true,
        example: """
            - docs: { targets: [Shape], warnings-as-errors: true, require-comments: true }
            - docs: { output: build/site, base-path: /shape }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        let targets = settings.strings("targets").map { list($0, joinedBy: "and") } ?? "all libraries"
        return "build the documentation of \(targets) in \(output(settings))"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let site = DocSite(path: absolutePath(output(settings), from: context.directory))
        try site.checkIsOurs(shown: output(settings))
        let tools = ToolRunner(context: context)
        let package = try PackageDescription.read(tools, in: context.directory)
        let targets = try Self.choose(settings.strings("targets"), from: package)
        var compiler = try DocCompiler.find(tools)
        if output(settings).hasPrefix("dist/") { try context.makeOutputDirectory("dist") }
        let scratch = absolutePath("\(context.scratch)/docs", from: context.directory)
        let graphs = SymbolGraphs(directory: context.directory, scratch: scratch)
        try graphs.prepare()
        let builds = ToolRunner(context: context.withOwnScratch)
        for target in targets { try builds.build(graphs.build(target)) }

        let directory = "\(scratch)/site"
        defer {
            try? removeTree(directory)
            site.abandon()
        }
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
        }
        try compiler.prepare(in: directory)
        var found: [BuildDiagnostic] = []
        var pages: [String] = []
        for target in targets {
            let base = "\(directory)/\(target.moduleName)"
            try graphs.copy(of: target.moduleName, to: "\(base).symbols")
            if settings.bool("require-comments") == true { found += try graphs.undocumented(in: target.moduleName) }
            let page = try targets.count == 1 ? site.begin() : "\(base).doccarchive"
            pages.append(page)
            let reported = try compiler.convert(
                target, "\(base).symbols", to: page, basePath: settings.string("base-path"))
            for diagnostic in reported where !found.contains(diagnostic) { found.append(diagnostic) }
        }
        try reportDiagnostics(found, failing: settings.bool("warnings-as-errors") ?? false, context)
        if pages.count > 1 { try compiler.merge(pages, named: package.name, into: try site.begin()) }
        try site.finish()
        keep(output(settings), context)
        let modules = targets.map(\.moduleName)
        tools.report(.note, "\(output(settings)): the documentation of \(list(modules, joinedBy: "and"))")
        return StepResult(outputs: [
            "path": .string(output(settings)), "modules": .list(modules.map { .string($0) }),
            "warnings": .integer(found.count { $0.severity == .warning }),
        ])
    }

    private func output(_ settings: Settings) -> String { settings.string("output") ?? "dist/docs" }

    private func reportDiagnostics(_ found: [BuildDiagnostic], failing: Bool, _ context: StepContext)
        throws(OperationFailure)
    {
        for diagnostic in found { context.send(.buildDiagnostic(diagnostic)) }
        let undocumented = found.count { $0.severity == .error }
        if undocumented > 0 { throw OperationFailure("\(count(undocumented, "public declaration")) without a comment") }
        let warnings = found.count { $0.severity == .warning }
        if failing, warnings > 0 { throw OperationFailure("the documentation has \(count(warnings, "warning"))") }
    }

    /// Adds every file of the website to the transaction, if there is one.
    private func keep(_ output: String, _ context: StepContext) {
        guard let transaction = context.transaction else { return }
        for file in FilePattern(output).files(below: context.directory) { transaction.plan(.keep(relativePath: file)) }
    }

    private static func choose(
        _ names: [String]?, from package: PackageDescription
    ) throws(OperationFailure) -> [PackageDescription.Target] {
        let documented = package.targets.filter { $0.isSwift && $0.isLibrary }
        guard let names else {
            let inProducts = Set(package.products.filter(\.isLibrary).flatMap(\.targets))
            let shipped = documented.filter { inProducts.contains($0.name) }
            guard !documented.isEmpty else { throw .refused(["the package has no library to document"]) }
            return shipped.isEmpty ? documented : shipped
        }
        let known = documented.map(\.name)
        let problems = names.filter { !known.contains($0) }.map { unknown("library target", $0, among: known) }
        guard problems.isEmpty else { throw .refused(problems) }
        return documented.filter { names.contains($0.name) }
    }
}
