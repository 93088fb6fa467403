import Actions
import Archives
import Events
import Git
import LaneModel
import OperatingSystem
import SwiftPackages
import Text
import Versioning

/// The parameters of a package: its products, name and time.
package struct PackageOrder {
    let version: SemanticVersion
    /// The name of the archive without its extension, which is also its root directory: `tracer-0.2.0-linux-x86_64`.
    let base: String
    /// The directory of archives, relative to the package.
    let output: String
    /// The time of all entries in seconds since 1970.
    let time: Int64
    let buildDirectory: String
    private let name: String
    let products: [PackageDescription.Product]
    /// A Boolean value that indicates whether the archive contains the sources. Users of a tool don't need them.
    private let hasSources: Bool
    private let package: PackageDescription
    private let sources: SourceCopy
    let toolchain: Toolchain
    let tools: ToolRunner
    private let git: Git
    let commit: String

    /// The result of a build.
    struct Built {
        let contents: ArchiveContents
        /// The executables with their paths.
        let executables: [(name: String, path: String)]
        let libraries: [ArchiveSmokeTest.Library]
        let licenses: [ArchiveEntry]
        /// A Boolean value that indicates whether the executables need no libraries of the system.
        let areStatic: Bool
        /// The arguments of `swift` for each build, with `$PWD` for the package's directory.
        let builds: [[String]]
    }

    /// - Parameter buildDirectory: The build directory, or `nil` for the default in the package's directory.
    init(_ settings: Settings, _ context: StepContext, buildDirectory: String? = nil) throws(OperationFailure) {
        git = Git(context)
        tools = ToolRunner(context: context.withOwnScratch)
        let working = try WorkingVersion.findIfAny(settings, in: context)
        version = working?.version ?? Self.unversioned
        commit = try git.head()
        if let date = try context.sourceDate() { time = date } else { time = try git.commitTime() ?? 0 }
        self.buildDirectory = buildDirectory ?? "\(context.directory)/.build/lane-package"
        output = settings.string("output") ?? "dist"
        // In a transaction, the tag does not exist yet.
        let tag = context.transaction == nil ? nil : WorkingVersion.planned(in: context)?.tag
        sources = try .make(named: try Self.directory(git), in: "\(self.buildDirectory)/source", git: git, tag: tag)
        toolchain = try .find(tools)
        do throws(OperationFailure) {
            package = try .read(tools, in: sources.path, findsLibraries: true)
        } catch {
            try sources.missing.requireDescribable()
            throw error
        }
        try Self.refuse(package.packages(outside: sources.path))
        name = settings.string("name") ?? package.name
        base = "\(Self.fileName(name))-\(version)-\(toolchain.platform)"
        products = try Self.choose(
            settings.strings("products"), from: package, orNone: settings.bool("allow-empty") ?? false)
        hasSources = settings.bool("sources") ?? products.contains(where: \.isLibrary)
        try sources.missing.refuse(for: package.closure(of: products.flatMap(\.targets), buildTools: true))
        if buildDirectory == nil { sources.missing.warn(tools) }
        if buildDirectory == nil { reportObstacles() }
        if buildDirectory == nil, settings.strings("products") == nil { reportOmittedExecutables(of: package) }
        if buildDirectory == nil, settings.string("version") == nil { try reportMisleadingVersion(working) }
        if buildDirectory == nil, context.transaction == nil, !(try GitStatus.read(git).changes.isEmpty) {
            tools.report(
                .warning,
                "the checkout has changes that are not committed; the package contains the last commit without them")
        }
    }

    /// Warns about libraries whose versions no other package can use.
    private func reportObstacles() {
        for product in products where product.isLibrary {
            let reasons = package.obstacles(toVersionsOf: product)
            guard !reasons.isEmpty else { continue }
            tools.report(
                .warning,
                "no package can depend on a version of the library '\(product.name)': \(list(reasons, joinedBy: "and"))"
            )
        }
    }

    /// Returns the name of the build's source directory: the package's name in the manifest if it is a literal.
    private static func directory(_ git: Git) throws(OperationFailure) -> String {
        let manifest = try git.attempt(["cat-file", "blob", "HEAD:./Package.swift"])
        guard manifest.report.succeeded else {
            throw .refused([
                "the last commit contains no Package.swift in this directory\nhint: git add Package.swift && git commit"
            ])
        }
        return ManifestName.find(in: manifest.text) ?? "package"
    }

    func build() throws(OperationFailure) -> Built {
        var recipe = BuildRecipe(
            directory: sources.path, isLinux: toolchain.isLinux, hasBuildTools: package.hasBuildTools)
        let dependencies = try Dependencies.fetch(of: package, for: products, recipe, tools)
        if dependencies.haveBuildTools { recipe.hasBuildTools = true }
        var parts = PackageParts(
            build: LibraryBuild(
                tools: tools, recipe: recipe, toolchain: toolchain, package: package, dependencies: dependencies),
            buildDirectory: buildDirectory)
        for product in products where product.isExecutable { try parts.addExecutable(product) }
        try parts.addLibraries(products.filter(\.isLibrary))
        parts.add(
            try ToolDocuments(tools: tools, sources: sources, version: version.description)
                .entries(of: parts.executables))
        let directory = "share/doc/\(Self.fileName(name))"
        parts.add(try PackageDocuments(sources: sources, directory: directory, hasSources: hasSources).entries())
        let licenses = try LinkedLicenses(
            toolchain: toolchain, package: package, dependencies: dependencies, directory: "\(directory)/licenses"
        ).entries(of: products, linkages: parts.linkages)
        if !licenses.missing.isEmpty {
            let names = list(licenses.missing.map { "'\($0)'" }, joinedBy: "and")
            tools.report(.warning, "the package contains code of \(names), but no license of it was found")
        }
        parts.add(licenses.entries)
        let contents = try convertingArchiveErrors(of: ArchiveContents(Array(parts.entries.values)).below(base))
        return Built(
            contents: contents, executables: parts.executables, libraries: parts.libraries,
            licenses: parts.entries.values.filter { LinkedLicenses.isLicense($0.path) },
            areStatic: parts.linkages.allSatisfy { $0 == .full },
            builds: parts.builds.map { words in
                words.map { $0.replacing(sources.path, with: "$PWD", maxReplacements: 1) }
            })
    }

    func record() throws(OperationFailure) -> PackageRecord {
        let resolved = (try? readFile("\(sources.path)/Package.resolved")) ?? []
        return PackageRecord(
            name: name, version: version, base: base, time: time, commit: commit,
            origin: try git.origin().flatMap(PackageRecord.published),
            license: ToolDescription(Settings(), of: name, in: sources.path).license, compiler: toolchain.version,
            triple: toolchain.moduleTriple,
            products: products.map(\.name), pins: PackageRecord.pins(resolved))
    }

    /// Returns the files besides the archive for those who install the programs.
    func toolPackages(_ settings: Settings, _ record: PackageRecord, _ built: Built) throws(OperationFailure)
        -> ToolPackages
    {
        ToolPackages(
            formats: settings.strings("formats") ?? [], record: record, files: InstallableFiles(of: built, base: base),
            summary: ToolDescription(settings, of: name, in: sources.path).summary,
            maintainer: try git.text(["log", "-1", "--no-show-signature", "--encoding=UTF-8", "--format=%an <%ae>"]),
            tools: tools)
    }

    /// Throws if the files cannot be created, whatever the build produces.
    func requireFiles(_ settings: Settings, _ context: StepContext) throws(OperationFailure) {
        try context.requireOutputDirectory(output)
        guard let formats = settings.strings("formats"), !formats.isEmpty else { return }
        guard products.contains(where: \.isExecutable) else {
            throw .refused(["'formats' needs a product that is an executable"])
        }
        if formats.contains("formula") { _ = try FormulaFile.homepage(context) }
    }

    func writeFormula(
        _ settings: Settings, _ archive: WrittenFile, _ built: Built, _ context: StepContext
    ) throws(OperationFailure) {
        guard let program = built.executables.first?.name else { return }
        try FormulaFile(settings: settings, context: context, name: name, version: version, directory: sources.path)
            .write(
                archives: [(lastPathComponent(archive.path), archive.sha256.description)], program: program, in: output)
    }

    /// The message for a package that has only plugins and macros.
    package static let noProducts = "the package has no products to package"
    private static let noProductsHint =
        "hint: plugins and macros are used as sources; set 'allow-empty: true' to succeed without products"

    private static func refuse(_ outside: [String]) throws(OperationFailure) {
        guard !outside.isEmpty else { return }
        let names = list(outside.map { "'\(lastPathComponent($0))'" }, joinedBy: "and")
        throw .refused([
            "\(names) \(outside.count == 1 ? "is" : "are") outside the package's directory, which the package is built from\n"
                + "hint: use URLs and versions for these dependencies in Package.swift"
        ])
    }

    private static func choose(
        _ names: [String]?, from package: PackageDescription, orNone isEmptyAllowed: Bool
    ) throws(OperationFailure) -> [PackageDescription.Product] {
        guard let names else {
            guard !package.products.isEmpty || isEmptyAllowed else {
                throw .refused(["\(noProducts)\n\(noProductsHint)"])
            }
            return package.offeredProducts
        }
        let present = package.products.map(\.name)
        let problems = names.filter { !present.contains($0) }.map { unknown("product", $0, among: present) }
        guard problems.isEmpty else { throw .refused(problems) }
        return package.products.filter { names.contains($0.name) }
    }

    /// Reports executable targets without a product, such as examples and tools.
    private func reportOmittedExecutables(of package: PackageDescription) {
        let offered = package.offeredProducts
        let left = package.products.filter { !offered.contains($0) }.map { "'\($0.name)'" }
        guard !left.isEmpty else { return }
        tools.report(
            .note,
            "no product in Package.swift names \(list(left, joinedBy: "or")); add them to 'products' to package them")
    }

    /// Reports a version that may be misleading.
    private func reportMisleadingVersion(_ working: WorkingVersion?) throws(OperationFailure) {
        guard let working else {
            return tools.report(
                .note, "no version was found in files, tags or the changelog; the package has the version \(version)")
        }
        guard let history = working.facts?.history, let last = history.tags.last, last.version == version else {
            return
        }
        let more = try history.commits(since: last).count
        guard more > 0 else { return }
        tools.report(
            .note,
            "the package has the version \(version) of the last release, but contains \(count(more, "more commit"))")
    }

    /// The version of a package without one.
    private static let unversioned = SemanticVersion(.zero, .zero, .zero, prerelease: ["dev"])

    /// Returns a name in lowercase without characters that need quotes. A name of other characters only is replaced by
    /// their code points.
    static func fileName(_ name: String) -> String {
        let kept = name.lowercased().map {
            $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-"
        }
        guard kept.contains(where: { $0.isLetter || $0.isNumber }) else {
            return name.unicodeScalars.map { "u" + String($0.value, radix: 16) }.joined(separator: "-")
        }
        // A leading `-` would be an option, and a leading `.` a hidden file.
        return String(kept.drop { "-.".contains($0) })
    }
}
