import Events
import OperatingSystem
import SwiftPackages

/// The build of a website with a page for each target.
struct DocBuild {
    let directory: String
    let site: DocSite
    var compiler: DocCompiler
    let graphs: SymbolGraphs
    /// The URL path of the website on its server, or `nil` for the root.
    let basePath: String?
    /// A Boolean value that indicates whether a public declaration without a comment is an error.
    let requiresComments: Bool
    /// The diagnostics of DocC and of the symbol graphs without duplicates.
    private(set) var found: [BuildDiagnostic] = []

    mutating func prepare() throws(OperationFailure) {
        let directory = directory
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
        }
        try compiler.prepare(in: directory)
    }

    /// Removes the build directory and an unfinished website.
    func clear() {
        try? removeTree(directory)
        site.abandon()
    }

    /// - Returns: The directories of the pages in the order of the targets.
    mutating func convert(_ targets: [PackageDescription.Target]) throws(OperationFailure) -> [String] {
        var pages: [String] = []
        for target in targets {
            let base = "\(directory)/\(target.moduleName)"
            try graphs.copy(of: target.moduleName, to: "\(base).symbols")
            if requiresComments { found += try graphs.undocumented(in: target.moduleName) }
            let page = DocCompiler.Page(
                target: target, graphs: "\(base).symbols",
                output: targets.count == 1 ? try site.begin() : "\(base).doccarchive", basePath: basePath)
            for diagnostic in try compiler.convert(page) where !found.contains(diagnostic) { found.append(diagnostic) }
            pages.append(page.output)
        }
        return pages
    }

    /// Merges all pages, and moves the website to its directory.
    func finish(_ pages: [String], named name: String) throws(OperationFailure) {
        if pages.count > 1 { try compiler.merge(pages, named: name, into: try site.begin()) }
        try site.finish()
    }
}
