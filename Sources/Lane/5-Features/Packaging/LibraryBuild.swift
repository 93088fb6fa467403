import Archives
import Events
import OperatingSystem
import SwiftPackages

/// A build of a library product for programs outside SwiftPM, which compile with `swiftc -I lib -L lib -lName`.
///
/// The directory `lib` contains `libName.a` with the objects of the product and its dependencies, a directory
/// `Module.swiftmodule` for each Swift module, and a directory with a module map for each C module.
struct LibraryBuild {
    let tools: ToolRunner
    let recipe: BuildRecipe
    let toolchain: Toolchain
    let package: PackageDescription
    let dependencies: Dependencies

    typealias Built = (entries: [ArchiveEntry], form: BuildRecipe.LibraryForm)

    /// - Parameter buildDirectory: A directory for temporary files.
    /// - Returns: The entries in `lib/`, and the form of the library.
    func run(
        _ product: PackageDescription.Product, buildDirectory: String
    ) throws(OperationFailure) -> Built {
        if try build(product, .withInterface) {
            let entries = try entries(product, .withInterface)
            if try interfaceIsReadable(product, entries, in: "\(buildDirectory)/interface") {
                return (entries, .withInterface)
            }
        }
        // A package that does not compile fails here.
        let built = try runPlain(product)
        tools.report(
            .note, "'\(product.name)' cannot be built with library evolution, so it has no textual interface")
        return built
    }

    /// Builds the library without a textual interface.
    func runPlain(
        _ product: PackageDescription.Product
    ) throws(OperationFailure) -> Built {
        guard try build(product, .plain) else {
            throw OperationFailure("the library '\(product.name)' cannot be built")
        }
        return (try entries(product, .plain), .plain)
    }

    /// Returns the arguments of `swift` for each target of a product.
    func builds(_ product: PackageDescription.Product, _ form: BuildRecipe.LibraryForm) -> [[String]] {
        let libraries = linkedLibraries(of: product)
        return product.targets.map { recipe.library(target: $0, linkedLibraries: libraries, form) }
    }

    /// Returns the libraries that programs with a product must link, such as `m` for `-lm`.
    func linkedLibraries(of product: PackageDescription.Product) -> [String] {
        let own = package.closure(of: product.targets)
        return Set((own + dependencies.targets(usedBy: own)).flatMap(\.linkedLibraries)).sorted()
    }

    private func entries(
        _ product: PackageDescription.Product, _ form: BuildRecipe.LibraryForm
    ) throws(OperationFailure) -> [ArchiveEntry] {
        let targets = package.closure(of: product.targets)
        let products = recipe.products(form)
        var entries = [try archive(product, targets, products)]
        for target in targets where target.isSwift {
            entries += modules(target.moduleName, products, form)
        }
        for target in targets where !target.isSwift { entries += try headers(target, of: recipe.directory) }
        entries += try foreignModules(targets, products, form)
        entries += try forwardingHeaders(for: entries)
        return entries + (try ResourceBundles.entries(of: "\(products)/lib\(product.name).a", below: "lib"))
    }

    /// Returns a Boolean value that indicates whether a program can import the modules from their textual interfaces.
    private func interfaceIsReadable(
        _ product: PackageDescription.Product, _ entries: [ArchiveEntry], in directory: String
    ) throws(OperationFailure) -> Bool {
        let imports = package.modules(of: product).map { "import \($0)\n" }.joined()
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            for entry in entries where !entry.path.hasSuffix(".swiftmodule") && !entry.path.hasSuffix(".a") {
                let target = "\(directory)/\(entry.path)"
                try makeDirectories(parentDirectory(target))
                switch entry.content {
                case .file(let source, _): try writeFile(readFile(source), to: target)
                case .bytes(let bytes, _): try writeFile(bytes, to: target)
                case .directory, .link: break
                }
            }
            try makeDirectories("\(directory)/lib")
            try writeFile(imports, to: "\(directory)/main.swift")
        }
        defer { try? removeTree(directory) }
        return try tools.attempt(
            "swiftc", ["-typecheck", "main.swift", "-I", "lib", "-module-cache-path", "cache"], in: directory
        ).report.succeeded
    }

    private func build(
        _ product: PackageDescription.Product, _ form: BuildRecipe.LibraryForm
    ) throws(OperationFailure) -> Bool {
        for arguments in builds(product, form) {
            let build = try tools.attemptBuild(recipe.command(arguments), in: recipe.directory)
            if build.report.stoppedBy != nil {
                throw OperationFailure("the build of '\(product.name)' was stopped", cause: .cancelled)
            }
            // A failed build with library evolution is followed by a plain build, so only the errors of the plain build
            // are shown.
            if !build.report.succeeded, form == .plain { tools.show(build) }
            if !build.report.succeeded { return false }
        }
        return true
    }

    private func modules(
        _ module: String, _ products: String, _ form: BuildRecipe.LibraryForm
    ) -> [ArchiveEntry] {
        // The ABI description is not packaged, because it contains absolute paths.
        var candidates = ["swiftmodule", "swiftdoc"].map { ($0, "Modules/\(module).\($0)") }
        if form == .withInterface {
            candidates.append(("swiftinterface", "\(module).build/\(module).swiftinterface"))
        }
        return candidates.filter { fileExists("\(products)/\($0.1)") }.map { suffix, path in
            ArchiveEntry(
                "lib/\(module).swiftmodule/\(toolchain.moduleTriple).\(suffix)",
                .file("\(products)/\(path)", isExecutable: false))
        }
    }
}

// MARK: Other packages

extension LibraryBuild {
    /// Returns the names of other packages' modules that were built for these targets.
    func foreignNames(
        _ targets: [PackageDescription.Target], _ products: String
    ) throws(OperationFailure) -> [String] {
        guard targets.contains(where: { !$0.foreignProducts.isEmpty }) else { return [] }
        // A shared build directory also contains modules that only executables use.
        let used = Set(dependencies.targets(usedBy: targets).map(\.moduleName))
        let unused = Set(dependencies.packages.flatMap(\.description.targets).map(\.moduleName)).subtracting(used)
        let others = unused.union(package.targets.map(\.moduleName))
        return try convertingFileErrors { () throws(FileError) in try listDirectory(products) }
            .filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
            .map { String($0.dropLast(".build".utf8.count)) }.filter { !others.contains($0) }
    }

    /// Returns the modules of other packages that the package's own modules import.
    private func foreignModules(
        _ targets: [PackageDescription.Target], _ products: String, _ form: BuildRecipe.LibraryForm
    ) throws(OperationFailure) -> [ArchiveEntry] {
        let names = try foreignNames(targets, products)
        guard !names.isEmpty else { return [] }
        var entries = names.flatMap { modules($0, products, form) }
        for (directory, other) in dependencies.packages {
            for target in other.targets where !target.isSwift {
                guard target.isSystemLibrary || names.contains(target.moduleName) else { continue }
                entries += try headers(target, of: directory)
            }
        }
        return entries
    }
}
