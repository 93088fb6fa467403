package import OperatingSystem
package import Text

/// The description of a package by `swift package describe` and its manifest.
package struct PackageDescription: Sendable, Equatable {
    package typealias Product = PackageManifest.Product

    package struct Target: Sendable, Equatable {
        package let name: String
        package let moduleName: String
        /// The path relative to the package.
        package let path: String
        /// The paths relative to `path`.
        package let sources: [String]
        /// The absolute paths of the resources.
        let resources: [String]
        /// The kind by SwiftPM, such as `library` or `system-target`.
        fileprivate let kind: String?
        /// The kind of its module by SwiftPM, such as `SwiftTarget`.
        let moduleKind: String?
        let dependencies: [String]
        /// The products of other packages that the target uses.
        package let foreignProducts: [String]
        /// A Boolean value that indicates whether a product contains the target.
        let isInProduct: Bool
        /// The declaration in the manifest, or `nil` for a target that SwiftPM adds.
        let declaration: PackageManifest.Target?
        /// The libraries that programs with the target must link, such as `m` for `-lm`.
        package fileprivate(set) var linkedLibraries: [String]

        fileprivate init?(_ node: JSONNode, _ declaration: PackageManifest.Target?) {
            guard let name = node["name"]?.string, let path = node["path"]?.string else { return nil }
            (self.name, self.path, self.declaration) = (name, path, declaration)
            moduleName = node["c99name"]?.string ?? name
            sources = node.strings("sources")
            resources = (node["resources"]?.array ?? []).compactMap { $0["path"]?.string }
            kind = node["type"]?.string
            moduleKind = node["module_type"]?.string
            dependencies = node.strings("target_dependencies")
            foreignProducts = node.strings("product_dependencies")
            isInProduct = !node.strings("product_memberships").isEmpty
            linkedLibraries = (declaration?.linkedLibraries ?? []) + Self.languageLibraries(of: sources)
        }

        /// The directory of a C target's public headers, relative to `path`.
        package var headers: String { declaration?.headers ?? "include" }
        package var isSwift: Bool { moduleKind == "SwiftTarget" }
        package var isSystemLibrary: Bool { kind == "system-target" }
        package var isLibrary: Bool { kind == "library" }
        /// A Boolean value that indicates whether the target is a macro. The compiler runs macros, so products do not
        /// contain them.
        var isMacro: Bool { kind == "macro" }
        /// A Boolean value that indicates whether SwiftPM found the program beside the package's targets. No target can
        /// depend on it.
        var isSnippet: Bool { kind == "snippet" }
        /// The names of the Debian packages that provide a system library.
        package var debianPackages: [String] { declaration?.debianPackages ?? [] }
        /// The paths that the manifest excludes, relative to `path`.
        package var excluded: [String] { declaration?.excluded ?? [] }
        /// The sources and resources in the manifest, relative to `path`, or `nil` for all files.
        package var declaredSources: [String]? {
            declaration.flatMap { declared in declared.sources.map { $0 + declared.resources } }
        }

        /// Returns the C++ library for sources in C++, which SwiftPM links automatically.
        private static func languageLibraries(of sources: [String]) -> [String] {
            let isCxx = sources.contains { source in
                ["cpp", "cc", "cxx", "c++", "C", "mm"].contains { source.hasSuffix(".\($0)") }
            }
            #if os(Linux)
                return isCxx ? ["stdc++"] : []
            #else
                return isCxx ? ["c++"] : []
            #endif
        }
    }

    /// The name in the manifest.
    package let name: String
    /// The absolute path of the package.
    let path: String
    /// The executables and libraries. SwiftPM adds products for executables that the manifest does not declare.
    package let products: [Product]
    package private(set) var targets: [Target]
    let manifest: PackageManifest
    /// The directories of local packages in the manifest.
    package let localPackages: [String]
    /// The identities of the packages that the manifest requires by a branch, a commit or a path.
    private let unversionedPackages: Set<String>
    /// A Boolean value that indicates whether the package has dependencies to fetch.
    package let hasDependencies: Bool
    /// A Boolean value that indicates whether a build compiles build tools: macros, or executables for plugins.
    package let hasBuildTools: Bool

    /// Reads the description of the package in a directory with `swift package`.
    ///
    /// - Parameters:
    ///   - options: The options of SwiftPM, such as `--scratch-path`.
    ///   - findsLibraries: A Boolean value that indicates whether to look for the libraries of system library targets in
    ///     their module maps and with `pkg-config`.
    package static func read(
        _ tools: ToolRunner, in directory: String, options: [String] = [], findsLibraries: Bool = false
    ) throws(OperationFailure) -> PackageDescription {
        let node = try tools.askPackage(["describe", "--type", "json"], options, in: directory)
        let manifest = try PackageManifest.read(tools, in: directory, options: options)
        guard var description = PackageDescription(node, manifest) else {
            throw OperationFailure("'swift package describe' did not describe the package")
        }
        guard findsLibraries else { return description }
        for (index, target) in description.targets.enumerated() where target.isSystemLibrary {
            description.targets[index].linkedLibraries += SystemLibraries.names(
                inModuleMap: "\(directory)/\(target.path)/module.modulemap", pkgConfig: target.declaration?.pkgConfig,
                tools)
        }
        return description
    }

    /// Creates the description from the output of `swift package describe --type json`.
    package init?(_ node: JSONNode, _ manifest: PackageManifest) {
        guard let name = node["name"]?.string, let products = node["products"]?.array,
            let targets = node["targets"]?.array
        else { return nil }
        (self.name, self.manifest) = (name, manifest)
        path = node["path"]?.string ?? ""
        let plugins = targets.filter { $0["type"]?.string == "plugin" }
        let tools = Set(plugins.flatMap { $0.strings("target_dependencies") })
            .subtracting(manifest.products.map(\.name))
        self.products = products.compactMap(Product.init).filter {
            ($0.isExecutable || $0.isLibrary) && !tools.contains($0.name)
        }
        let dependencies = node["dependencies"]?.array ?? []
        localPackages = dependencies.filter { $0["type"]?.string == "fileSystem" }.compactMap { $0["path"]?.string }
        hasDependencies = localPackages.count < dependencies.count
        let unversioned = dependencies.filter { dependency in
            dependency["type"]?.string == "fileSystem"
                || ["branch", "revision"].contains { dependency["requirement"]?[$0] != nil }
        }
        unversionedPackages = Set(unversioned.compactMap { $0["identity"]?.string })
        let declarations = Dictionary(manifest.targets.map { ($0.name, $0) }) { first, _ in first }
        self.targets = targets.compactMap { Target($0, $0["name"]?.string.flatMap { declarations[$0] }) }
        hasBuildTools =
            self.targets.contains(where: \.isMacro)
            || plugins.contains { $0["plugin_capability"]?["type"]?.string == "buildTool" }
    }

    /// Returns the local packages outside a directory.
    package func packages(outside directory: String) -> [String] {
        let roots = [directory, resolvedPath(directory) ?? directory]
        return localPackages.filter { path in !roots.contains { relativePath(path, to: $0) != path } }
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

    package func modules(of product: Product) -> [String] {
        targets.filter { product.targets.contains($0.name) && $0.isSwift }.map(\.moduleName)
    }

    /// The products to package by default: those in the manifest, or all executables if the manifest declares none that
    /// can be packaged.
    package var offeredProducts: [Product] {
        let names = Set(manifest.products.map(\.name))
        let declared = products.filter { names.contains($0.name) }
        return declared.isEmpty ? products : declared
    }

    /// Returns a Boolean value that indicates whether a product uses products of other packages.
    package func usesOtherPackages(_ product: Product) -> Bool {
        closure(of: product.targets).contains { !$0.foreignProducts.isEmpty }
    }

    /// Returns the reasons why SwiftPM refuses a package that depends on a version of a library.
    package func obstacles(toVersionsOf product: Product) -> [String] {
        let targets = closure(of: product.targets, buildTools: true)
        let declarations = targets.compactMap(\.declaration)
        let packages = Set(declarations.flatMap(\.dependencies).compactMap(\.package))
            .intersection(unversionedPackages).sorted()
        return declarations.filter { !$0.unsafeFlags.isEmpty }.map { "the target '\($0.name)' has unsafe flags" }
            + packages.map { "'\($0)' is required by a branch, a commit or a path" }
    }
}

/// The system libraries that programs must link if they use a package.
///
/// The compiler links the libraries of public imports automatically, but not those of internal imports.
enum SystemLibraries {
    /// Returns the libraries in the module map of a system library, or those of `pkg-config` if the module map names
    /// none.
    static func names(inModuleMap path: String, pkgConfig: String?, _ tools: ToolRunner) -> [String] {
        let linked = (try? readText(path)).map(links) ?? []
        guard linked.isEmpty, let pkgConfig,
            let flags = try? tools.text("pkg-config", ["--libs-only-l", pkgConfig], in: parentDirectory(path))
        else { return linked }
        return flags.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("-l") }.map { String($0.dropFirst(2)) }
    }

    /// Returns the libraries of `link "name"` in a module map, without frameworks.
    static func links(_ moduleMap: String) -> [String] {
        let words = words(moduleMap)
        return zip(words, words.dropFirst()).compactMap { word, next in
            guard case .plain("link") = word, case .quoted(let name) = next else { return nil }
            return name
        }
    }

    private enum Word: Equatable {
        case plain(String)
        case quoted(String)
    }

    /// Returns the words of a module map without comments.
    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first == "\"" {
                let name = rest.dropFirst().prefix { $0 != "\"" }
                words.append(.quoted(String(name)))
                rest = rest[name.endIndex...].dropFirst()
            } else if rest.starts(with: "//".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                let end = Substring(rest).range(of: "*/")?.upperBound ?? rest.endIndex
                rest = rest[end...]
            } else {
                let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" }
                if !word.isEmpty { words.append(.plain(String(word))) }
                rest = rest[word.endIndex...].dropFirst(word.isEmpty ? 1 : 0)
            }
        }
        return words
    }
}
