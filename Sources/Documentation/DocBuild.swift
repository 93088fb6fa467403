import Files
import LaneEvents
import LaneRun
import Packaging

/// A private directory for the build of a website, with a page for each target.
struct DocBuild {
    let directory: String
    let site: DocSite
    var compiler: DocCompiler
    let graphs: SymbolGraphs
    /// The path of the website on its server, or `nil` for the root.
    let basePath: String?
    /// A Boolean value that indicates whether a public declaration without a comment is an error.
    let requiresComments: Bool
    /// The diagnostics of the compiler and of the symbol graphs, each once.
    private(set) var found: [BuildDiagnostic] = []

    mutating func prepare() throws(StepFailure) {
        let directory = directory
        try onFiles { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
        }
        try compiler.prepare(in: directory)
    }

    /// Removes the directory and an unfinished website.
    func clear() {
        try? removeTree(directory)
        site.abandon()
    }

    /// - Returns: The directories of the pages in the order of the targets.
    mutating func convert(_ targets: [PackageDescription.Target]) throws(StepFailure) -> [String] {
        var pages: [String] = []
        for target in targets {
            let place = "\(directory)/\(target.moduleName)"
            try graphs.copy(of: target.moduleName, to: "\(place).symbols")
            if requiresComments { found += try graphs.silent(in: target.moduleName) }
            let page = DocCompiler.Page(
                target: target, graphs: "\(place).symbols",
                output: targets.count == 1 ? try site.begin() : "\(place).doccarchive", basePath: basePath)
            for diagnostic in try compiler.convert(page) where !found.contains(diagnostic) { found.append(diagnostic) }
            pages.append(page.output)
        }
        return pages
    }

    /// Merges all pages and moves the website to its directory.
    func finish(_ pages: [String], named name: String) throws(StepFailure) {
        if pages.count > 1 { try compiler.merge(pages, named: name, into: try site.begin()) }
        try site.finish()
    }
}
