package import OperatingSystem
package import Text

/// The description of a package by `swift package describe` and its manifest.
package struct PackageDescription: Sendable, Equatable {
    /// A product of the package.
    package struct Product: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            case executable, library
        }

        package let name: String
        package let kind: Kind
        package let targets: [String]
        /// A Boolean value that indicates whether the manifest declares the product. SwiftPM adds products for other
        /// executables.
        let isDeclared: Bool
    }

    /// A target of the package.
    package struct Target: Sendable, Equatable {
        package let name: String
        /// The name of its module.
        package let moduleName: String
        /// The path relative to the package.
        package let path: String
        /// The paths relative to `path`.
        package let sources: Set<String>
        /// The directory of a C target's public headers, relative to `path`.
        package let headers: String
        /// The libraries that programs with the target must link, such as `m` for `-lm`.
        package let linkedLibraries: [String]
        package let isSwift: Bool
        package let isSystemLibrary: Bool
        /// The names of the Debian packages that provide a system library.
        package let debianPackages: [String]
        package let isLibrary: Bool
        /// A Boolean value that indicates whether the target is a macro. The compiler runs macros, so products do not
        /// contain them.
        let isMacro: Bool
        /// The paths that the manifest excludes, relative to `path`.
        package let excluded: [String]
        /// The sources and resources in the manifest, relative to `path`, or `nil` for all files.
        package let declaredSources: [String]?
        let dependencies: [String]
        /// The products of other packages that the target uses.
        package let foreignProducts: [String]
        fileprivate let foreignPackages: [String]
        fileprivate let hasUnsafeFlags: Bool
    }

    /// The name in the manifest.
    package let name: String
    /// The executables and libraries.
    package let products: [Product]
    package let targets: [Target]
    /// The directories of local packages in the manifest.
    package let localPackages: [String]
    /// The identities of the packages that the manifest requires by a branch, a commit or a path.
    private let unversionedPackages: Set<String>
    /// A Boolean value that indicates whether the package has dependencies to fetch.
    package let hasDependencies: Bool
    /// A Boolean value that indicates whether a build compiles build tools: macros, or executables for plugins.
    package let hasBuildTools: Bool

    /// Reads the description of the package in a directory with `swift package`.
    package static func read(_ tools: ToolRunner, in directory: String) throws(OperationFailure) -> PackageDescription {
        let node = try tools.describePackage(in: directory)
        let declared = try tools.dumpPackage(in: directory)
        var settings = TargetSettings.read(declared)
        for target in node["targets"]?.array ?? [] where target["type"]?.string == systemLibrary {
            guard let name = target["name"]?.string, let path = target["path"]?.string else { continue }
            let pkgConfig = settings[name]?.pkgConfig
            settings[name]?.linkedLibraries += SystemLibraries.names(
                inModuleMap: "\(directory)/\(path)/module.modulemap", pkgConfig: pkgConfig, tools)
        }
        guard let description = PackageDescription(node, settings: settings, declared: declaredProducts(declared))
        else { throw OperationFailure("'swift package describe' did not describe the package") }
        return description
    }

    private static let systemLibrary = "system-target"
    private static let macro = "macro"

    /// - Parameter declared: The products in the manifest.
    package init?(_ node: JSONNode, settings: [String: TargetSettings], declared: Set<String>) {
        guard let name = node["name"]?.string, let products = node["products"]?.array,
            let targets = node["targets"]?.array
        else { return nil }
        self.name = name
        let plugins = targets.filter { $0["type"]?.string == "plugin" }
        hasBuildTools =
            targets.contains { $0["type"]?.string == Self.macro }
            || plugins.contains { $0["plugin_capability"]?["type"]?.string == "buildTool" }
        let tools = Set(plugins.flatMap { Self.strings($0["target_dependencies"]) }).subtracting(declared)
        self.products = products.compactMap { product in
            guard let name = product["name"]?.string, let type = product["type"], !tools.contains(name) else {
                return nil
            }
            let kind: Product.Kind
            if type["executable"] != nil {
                kind = .executable
            } else if type["library"] != nil {
                kind = .library
            } else {
                return nil
            }
            return Product(
                name: name, kind: kind, targets: Self.strings(product["targets"]),
                isDeclared: declared.contains(name))
        }
        let dependencies = node["dependencies"]?.array ?? []
        localPackages = dependencies.filter { $0["type"]?.string == "fileSystem" }.compactMap { $0["path"]?.string }
        hasDependencies = localPackages.count < dependencies.count
        let unversioned = dependencies.filter { dependency in
            dependency["type"]?.string == "fileSystem"
                || ["branch", "revision"].contains { dependency["requirement"]?[$0] != nil }
        }
        unversionedPackages = Set(unversioned.compactMap { $0["identity"]?.string })
        self.targets = targets.compactMap { target in
            guard let name = target["name"]?.string, let moduleName = target["c99name"]?.string,
                let path = target["path"]?.string
            else { return nil }
            let sources = Self.strings(target["sources"])
            return Target(
                name: name, moduleName: moduleName, path: path, sources: Set(sources),
                headers: settings[name]?.headers ?? "include",
                linkedLibraries: (settings[name]?.linkedLibraries ?? [])
                    + TargetSettings.languageLibraries(of: sources),
                isSwift: target["module_type"]?.string == "SwiftTarget",
                isSystemLibrary: target["type"]?.string == Self.systemLibrary,
                debianPackages: settings[name]?.debianPackages ?? [],
                isLibrary: target["type"]?.string == "library",
                isMacro: target["type"]?.string == Self.macro,
                excluded: settings[name]?.excluded ?? [], declaredSources: settings[name]?.declaredSources,
                dependencies: Self.strings(target["target_dependencies"]),
                foreignProducts: Self.strings(target["product_dependencies"]),
                foreignPackages: settings[name]?.foreignPackages ?? [],
                hasUnsafeFlags: settings[name]?.hasUnsafeFlags ?? false)
        }
    }

    /// Returns the local packages outside a directory.
    package func packages(outside directory: String) -> [String] {
        let roots = [directory, resolvedPath(directory) ?? directory]
        return localPackages.filter { path in !roots.contains { relativePath(path, to: $0) != path } }
    }

    private static func declaredProducts(_ manifest: JSONNode) -> Set<String> {
        Set((manifest["products"]?.array ?? []).compactMap { $0["name"]?.string })
    }

    /// Returns targets with all their dependencies in this package.
    ///
    /// - Parameter buildTools: A Boolean value that indicates whether macros and their dependencies are included.
    package func closure(of names: [String], buildTools: Bool = false) -> [Target] {
        var found: Set<String> = []
        var waiting = names
        while let name = waiting.popLast() {
            guard !found.contains(name), let target = targets.first(where: { $0.name == name }),
                buildTools || !target.isMacro
            else { continue }
            found.insert(name)
            waiting += target.dependencies
        }
        return targets.filter { found.contains($0.name) }.sorted { $0.name < $1.name }
    }

    /// Returns the Swift modules of a product.
    package func modules(of product: Product) -> [String] {
        targets.filter { product.targets.contains($0.name) && $0.isSwift }.map(\.moduleName)
    }

    /// The products to package by default: those in the manifest, or all executables if the manifest declares none that
    /// can be packaged.
    package var offeredProducts: [Product] {
        let declared = products.filter(\.isDeclared)
        return declared.isEmpty ? products : declared
    }

    /// Returns a Boolean value that indicates whether a product uses products of other packages.
    package func usesOtherPackages(_ product: Product) -> Bool {
        closure(of: product.targets).contains { !$0.foreignProducts.isEmpty }
    }

    /// Returns the reasons why SwiftPM refuses a package that depends on a version of a library.
    package func obstacles(toVersionsOf product: Product) -> [String] {
        let targets = closure(of: product.targets, buildTools: true)
        let packages = Set(targets.flatMap(\.foreignPackages)).intersection(unversionedPackages).sorted()
        return targets.filter(\.hasUnsafeFlags).map { "the target '\($0.name)' has unsafe flags" }
            + packages.map { "'\($0)' is required by a branch, a commit or a path" }
    }

    private static func strings(_ node: JSONNode?) -> [String] { node?.array?.compactMap(\.string) ?? [] }
}
