import Archives
import Events
import OperatingSystem
import SwiftPackages
import Text

/// The built products of a package with their files.
struct PackageParts {
    let build: LibraryBuild
    /// The directory of temporary files for libraries.
    let buildDirectory: String
    /// The entries by the bytes of their paths. Products may share files.
    private(set) var entries: [[UInt8]: ArchiveEntry] = [:]
    /// The executables with their paths.
    private(set) var executables: [(name: String, path: String)] = []
    /// The linkages of the executables.
    private(set) var linkages: [BuildRecipe.Linkage] = []
    private(set) var libraries: [ArchiveSmokeTest.Library] = []
    /// The arguments of `swift` for each product.
    private(set) var builds: [[String]] = []
    /// The requirements for programs that link a library.
    private(set) var linking: [String] = []

    mutating func add(_ more: [ArchiveEntry]) {
        for entry in more { entries[Array(entry.path.utf8)] = entry }
    }

    mutating func addExecutable(_ product: PackageDescription.Product) throws(OperationFailure) {
        let built = try ExecutableBuild(tools: build.tools, recipe: build.recipe).run(product.name)
        try warn(of: product, embeddedIn: built.path)
        add([ArchiveEntry("bin/\(product.name)", .file(built.path, isExecutable: true))])
        add(try ResourceBundles.entries(of: built.path, below: "bin"))
        executables.append((product.name, built.path))
        linkages.append(built.linkage)
        builds.append(build.recipe.executable(product.name, built.linkage))
    }

    /// Builds and adds libraries. The archive contains each module once, so libraries that share a module have the same
    /// form.
    mutating func addLibraries(_ products: [PackageDescription.Product]) throws(OperationFailure) {
        var built: [LibraryBuild.Built] = []
        for product in products { built.append(try build.run(product, buildDirectory: buildDirectory)) }
        func targets(_ index: Int) -> Set<String> {
            let own = build.package.closure(of: products[index].targets)
            return Set((own + build.dependencies.targets(usedBy: own)).map(\.moduleName))
        }
        while let plain = built.indices.first(where: { index in
            built[index].form == .withInterface
                && built.indices.contains {
                    built[$0].form == .plain && !targets($0).isDisjoint(with: targets(index))
                }
        }) {
            build.tools.report(
                .note, "'\(products[plain].name)' shares modules with such a library, so it also has none")
            built[plain] = try build.runPlain(products[plain])
        }
        for (product, built) in zip(products, built) { try add(product, built) }
        guard !linking.isEmpty else { return }
        let text = "# Linking\n\n" + linking.map { "- \($0).\n" }.joined()
        add([ArchiveEntry("lib/README.md", .bytes(Array(text.utf8), isExecutable: false))])
    }

    /// Reports a requirement for programs that link a library, and records it for the archive's documentation.
    private mutating func require(_ need: String) {
        build.tools.report(.note, need)
        linking.append(need.replacing("'", with: "`"))
    }

    private mutating func add(
        _ product: PackageDescription.Product, _ built: LibraryBuild.Built
    ) throws(OperationFailure) {
        add(built.entries)
        builds += build.builds(product, built.form)
        let archive = "\(build.recipe.products(built.form))/lib\(product.name).a"
        try warn(of: product, embeddedIn: archive)
        let bundles = try ResourceBundles.bundles(of: archive).map { "'\(lastPathComponent($0))'" }
        if !bundles.isEmpty {
            require(
                "programs with '\(product.name)' need \(list(bundles, joinedBy: "and")) of 'lib' in their directory")
        }
        let modules = build.package.modules(of: product)
        // Without a Swift module, the libraries are not recorded.
        let flags = modules.isEmpty ? build.linkedLibraries(of: product).map { "-l\($0)" } : []
        libraries.append(ArchiveSmokeTest.Library(name: product.name, modules: modules, flags: flags))
        if !flags.isEmpty {
            require("programs with '\(product.name)' must also be linked with \(flags.joined(separator: " "))")
        }
        if build.toolchain.hasLibrary(product.name) {
            require(
                "programs with '\(product.name)' must be linked with 'lib/lib\(product.name).a' instead of '-l\(product.name)',"
                    + " which is a library of the toolchain")
        }
    }

    private func warn(of product: PackageDescription.Product, embeddedIn path: String)
        throws(OperationFailure)
    {
        let sources = build.recipe.directory
        guard try convertingFileErrors(of: file(path, contains: sources)) else { return }
        build.tools.report(
            .warning,
            "'\(product.name)' contains the path of this directory because of #filePath or resources, so its bytes depend on it"
        )
    }
}

/// The documentation in an archive, and the sources.
struct PackageDocuments {
    let sources: SourceCopy
    /// The directory of documents: `share/doc/tracer`.
    let directory: String
    /// A Boolean value that indicates whether the archive contains the sources.
    let hasSources: Bool

    func entries() throws(OperationFailure) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        for file in sources.exported {
            let entry = try convertingArchiveErrors(
                of: ArchiveContents.entry("src/\(file)", from: "\(sources.path)/\(file)"))
            if hasSources { entries.append(entry) }
            guard let content = try content(of: entry, file) else { continue }
            if isDocument(file) { entries.append(ArchiveEntry(file, content)) }
            for prefix in ["docs/", "doc/", "Documentation/"] where file.hasPrefix(prefix) {
                entries.append(ArchiveEntry("\(directory)/\(file.dropFirst(prefix.count))", content))
            }
        }
        for document in entries where document.path.hasPrefix("README") || document.path.hasPrefix("CHANGELOG") {
            entries.append(ArchiveEntry("\(directory)/\(document.path)", document.content))
        }
        return entries
    }

    /// Returns the content of an entry for another path in the archive. Replaces a link by its file if the link would
    /// be broken.
    ///
    /// - Parameter file: The path of the entry in the package.
    private func content(of entry: ArchiveEntry, _ file: String) throws(OperationFailure) -> ArchiveEntry.Content? {
        guard case .link = entry.content else { return entry.content }
        guard let path = resolvedPath("\(sources.path)/\(file)"), fileKind(path) == .file else { return nil }
        return try convertingArchiveErrors(of: ArchiveContents.entry(file, from: path))
            .content
    }

    /// Returns a Boolean value that indicates whether a file is also copied to the root of the archive.
    private func isDocument(_ file: String) -> Bool {
        // `LICEN` also matches the British spelling of a license.
        let prefixes = ["LICEN", "COPYING", "NOTICE", "README", "CHANGELOG"]
        return !file.contains("/") && prefixes.contains { file.uppercased().hasPrefix($0) }
    }
}
