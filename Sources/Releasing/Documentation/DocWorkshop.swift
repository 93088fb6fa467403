import Files
import LaneEvents
import LaneRun

/// The private folder in which a site is made: a page for each target, and of several pages one site.
struct DocWorkshop {
    let folder: String
    let site: DocSite
    var compiler: DocCompiler
    let graphs: SymbolGraphs
    /// Below which path of its server the site will lie, if not at the top.
    let basePath: String?
    /// Whether a public declaration without a comment counts as an error.
    let requiresComments: Bool
    /// What the compiler and the graphs had to tell so far, each once.
    private(set) var found: [BuildDiagnostic] = []

    mutating func prepare() throws(StepFailure) {
        let folder = folder
        try onFiles { () throws(FileError) in
            try removeTree(folder)
            try makeDirectories(folder)
        }
        try compiler.prepare(in: folder)
    }

    /// Takes away the folder, and what is not yet in its place of the site.
    func clear() {
        try? removeTree(folder)
        site.abandon()
    }

    /// - Returns: Where the pages are, in the order of the targets.
    mutating func convert(_ targets: [PackageDescription.Target]) throws(StepFailure) -> [String] {
        var pages: [String] = []
        for target in targets {
            let place = "\(folder)/\(target.moduleName)"
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

    /// Makes one site of all pages, and puts it into its place.
    func finish(_ pages: [String], named name: String) throws(StepFailure) {
        if pages.count > 1 { try compiler.merge(pages, named: name, into: try site.begin()) }
        try site.finish()
    }
}
