import Archives
import Events
import OperatingSystem
import SwiftPackages
import Text

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
        return try convertingFileErrors(of: listDirectory(products))
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

extension LibraryBuild {
    /// Returns the public headers and the module map of a C target, in a directory with the module's name.
    func headers(
        _ target: PackageDescription.Target, of directory: String
    ) throws(OperationFailure) -> [ArchiveEntry] {
        let sources = "\(directory)/\(target.path)"
        let location = target.isSystemLibrary ? sources : "\(sources)/\(target.headers)"
        guard isDirectory(location) else { return [] }
        var entries = try convertingArchiveErrors { () throws(ArchiveError) in
            try ArchiveContents.tree(at: location).entries.filter { entry in
                // A header directory may also contain sources.
                !target.sources.contains(target.headers == "." ? entry.path : "\(target.headers)/\(entry.path)")
            }
        }.map { ArchiveEntry("lib/\(target.moduleName)/\($0.path)", $0.content) }
        let map = "lib/\(target.moduleName)/module.modulemap"
        if !entries.contains(where: { $0.path == map }) {
            let umbrella = entries.contains { $0.path == "lib/\(target.moduleName)/\(target.moduleName).h" }
            let text =
                "module \(target.moduleName) {\n    umbrella \(umbrella ? "header \"\(target.moduleName).h\"" : "\".\"")\n"
                + "    export *\n}\n"
            entries.append(ArchiveEntry(map, .bytes(Array(text.utf8), isExecutable: false)))
        }
        return entries.filter { $0.content != .directory }
    }

    /// Returns headers that forward includes to the new paths of other headers.
    ///
    /// SwiftPM adds the header directories of all C targets to the search path, but other programs add only `lib`.
    func forwardingHeaders(for entries: [ArchiveEntry]) throws(OperationFailure) -> [ArchiveEntry] {
        let headers = try entries.filter { HeaderFile.isHeader($0.path) }
            .map { entry throws(OperationFailure) in try HeaderFile(entry) }
        let roots = Set(headers.map(\.root)).sorted()
        var known = Set(headers.map(\.path))
        var made: [ArchiveEntry] = []
        for header in headers {
            for included in header.includes {
                guard !included.isQuoted || !known.contains("\(parentDirectory(header.path))/\(included.name)"),
                    !known.contains("lib/\(included.name)"),
                    let root = ([header.root] + roots).first(where: { known.contains("\($0)/\(included.name)") })
                else { continue }
                let path = "lib/\(included.name)"
                let ups = String(repeating: "../", count: included.name.pathComponents.count - 1)
                let text = "#include \"\(ups)\(lastPathComponent(root))/\(included.name)\"\n"
                known.insert(path)
                made.append(ArchiveEntry(path, .bytes(Array(text.utf8), isExecutable: false)))
            }
        }
        return made
    }
}

/// A packaged header with its includes.
struct HeaderFile {
    struct Include: Equatable {
        let name: String
        /// A Boolean value that indicates whether the include is quoted. The compiler then searches the directory of
        /// the header first.
        let isQuoted: Bool
    }

    let path: String
    let includes: [Include]

    /// The directory that SwiftPM adds to the search path: `lib/Module`.
    var root: String { path.pathComponents.prefix(2).joined(separator: "/") }

    static func isHeader(_ path: String) -> Bool { [".h", ".hh", ".hpp", ".inc"].contains(where: path.hasSuffix) }

    init(_ entry: ArchiveEntry) throws(OperationFailure) {
        path = entry.path
        includes = Self.includes(String(decoding: try entry.content.bytes(), as: UTF8.self))
    }

    /// Returns the includes in the `#include` and `#import` lines of a header.
    static func includes(_ text: String) -> [Include] {
        text.lines.compactMap { line in
            var rest = line.drop(while: \.isWhitespace)
            guard rest.popFirst() == "#" else { return nil }
            rest = rest.drop(while: \.isWhitespace)
            guard let word = ["include_next", "include", "import"].first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
            guard let quote = rest.popFirst(), let end: Character = ["\"": "\"", "<": ">"][quote],
                let last = rest.firstIndex(of: end), last > rest.startIndex
            else { return nil }
            return Include(name: String(rest[..<last]), isQuoted: quote == "\"")
        }
    }
}

extension LibraryBuild {
    /// Creates `libName.a` from the objects of the product and of its dependencies.
    func archive(
        _ product: PackageDescription.Product, _ targets: [PackageDescription.Target], _ products: String
    ) throws(OperationFailure) -> ArchiveEntry {
        var modules = targets.map(\.moduleName)
        modules += try foreignNames(targets, products)
        var objects: [String] = []
        for module in modules.sorted() where isDirectory("\(products)/\(module).build") {
            objects += try joined(try objectFiles(in: "\(module).build", below: products), of: module, in: products)
        }
        let library = "lib\(product.name).a"
        try convertingFileErrors(of: removeTree("\(products)/\(library)"))
        if toolchain.isLinux {
            // `q` keeps objects of the same name from different modules, and `D` omits times and owners.
            try tools.run(own("llvm-ar", else: "ar"), ["qcsD", library] + objects, in: products)
        } else {
            try tools.run("libtool", ["-static", "-D", "-o", library] + objects, in: products)
        }
        return ArchiveEntry("lib/\(library)", .file("\(products)/\(library)", isExecutable: false))
    }

    /// Links all objects of a Swift module into one object.
    ///
    /// A linker uses only referenced objects of an archive. A file that declares only conformances is never referenced,
    /// so casts would fail at run time.
    private func joined(
        _ objects: [String], of module: String, in products: String
    ) throws(OperationFailure) -> [String] {
        let swift = objects.filter { $0.hasSuffix(".swift.o") }
        guard toolchain.isLinux, swift.count > 1 else { return objects }
        let whole = "\(module).build/\(module).o"
        try tools.run(own("ld.lld", else: "ld"), ["-r", "-o", whole] + swift, in: products)
        return [whole] + objects.filter { !$0.hasSuffix(".swift.o") && $0 != whole }
    }

    private func own(_ tool: String, else other: String) -> String {
        let path = "\(toolchain.binaries)/\(tool)"
        return fileExists(path) ? path : other
    }

    private func objectFiles(in directory: String, below products: String) throws(OperationFailure) -> [String] {
        var objects: [String] = []
        for name in try convertingFileErrors(of: listDirectory("\(products)/\(directory)")) {
            let path = "\(directory)/\(name)"
            if isDirectory("\(products)/\(path)") {
                objects += try objectFiles(in: path, below: products)
            } else if name.hasSuffix(".o") {
                objects.append(path)
            }
        }
        return objects
    }
}
