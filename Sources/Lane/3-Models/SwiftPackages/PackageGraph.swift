import OperatingSystem
import Text

/// The targets of a package with their directories and dependencies.
///
/// All paths are relative to the root of the repository, which may be a directory above the package.
package struct PackageGraph: Sendable, Equatable {
    /// A target of the package.
    package struct Target: Sendable, Equatable {
        /// The kind of a target, as far as it matters here. A macro is a plugin.
        package enum Kind: Sendable, Equatable { case library, executable, plugin, test }

        package let name: String
        /// The name of its module in `import` and in the IDs of tests.
        package let module: String
        package let kind: Kind
        /// Its directory, its resources elsewhere and the directories of its header search paths.
        package var paths: [String]
        /// Its source files.
        package var sources: [String] = []
        /// A Boolean value that indicates whether its sources are Swift.
        package var isSwift = true
        /// The names of the targets that it uses, including plugins.
        package var dependencies: Set<String> = []
        /// A Boolean value that indicates whether it uses products of other packages.
        package var usesOtherPackages = false
        /// A Boolean value that indicates whether a plugin or unsafe compiler flags may read any file for it.
        package var mayReadAnyFile = false
        /// A Boolean value that indicates whether it is a library for tests: in no product, or named so.
        package var isTestSupport = false

        package init(_ name: String, _ kind: Kind, path: String, module: String? = nil) {
            self.name = name
            self.module = module ?? name
            self.kind = kind
            paths = [path]
        }
    }

    /// The directory of the package, empty for the root of the repository.
    package let directory: String
    package var targets: [Target]
    /// The directories of the packages in the repository that the package depends on.
    package var localPackages: [String] = []
    /// The names by which programs of the package can be started, with their targets.
    package var programs: [String: Set<String>] = [:]

    package init(directory: String = "", targets: [Target]) {
        self.directory = directory
        self.targets = targets
        for target in targets where target.kind == .executable || target.kind == .plugin {
            programs[target.name, default: []].insert(target.name)
        }
    }

    /// Creates the graph of a package. Returns `nil` if a target is not in the manifest, or the path of the package
    /// is unknown.
    ///
    /// - Parameter directory: The directory of the package, relative to the root of the repository.
    package init?(_ package: PackageDescription, directory: String) {
        guard !package.path.isEmpty else { return nil }
        let reader = PackageReader(package: package, directory: directory)
        var targets: [Target] = []
        for target in package.targets where !target.isSnippet {
            guard let read = target.declaration.flatMap({ reader.target(target, $0) }) else { return nil }
            targets.append(read)
        }
        self.init(directory: directory, targets: targets)
        for product in package.manifest.products where product.isExecutable {
            programs[product.name, default: []].formUnion(product.targets)
        }
        localPackages = package.localPackages.compactMap(reader.relative)
    }

    /// The test targets in the order of their names.
    package var testTargets: [Target] { targets.filter { $0.kind == .test }.sorted { $0.name < $1.name } }
}

/// A converter of the targets of a description.
private struct PackageReader {
    let package: PackageDescription
    /// The directory of the package, relative to the root of the repository.
    let directory: String
    /// The names of all targets in the manifest.
    private let names: Set<String>

    init(package: PackageDescription, directory: String) {
        (self.package, self.directory) = (package, directory)
        names = Set(package.manifest.targets.map(\.name))
    }

    /// Returns a path relative to the root of the repository, or `nil` for one outside.
    func relative(_ path: String) -> String? {
        let root = package.path
        let repository = directory.isEmpty ? root : String(root.dropLast(directory.count + 1))
        let absolute = absolutePath(path, from: root)
        if absolute == repository { return "" }
        return absolute.hasPrefix("\(repository)/") ? String(absolute.dropFirst(repository.count + 1)) : nil
    }

    func target(
        _ described: PackageDescription.Target, _ declared: PackageManifest.Target
    ) -> PackageGraph.Target? {
        guard let path = relative(described.path) else { return nil }
        let kind: PackageGraph.Target.Kind =
            switch declared.kind {
            case "test": .test
            case "executable": .executable
            case "plugin", "macro": .plugin
            default: .library
            }
        var target = PackageGraph.Target(described.name, kind, path: path, module: described.moduleName)
        target.isSwift = described.moduleKind != "ClangTarget"
        target.sources = described.sources.map { "\(path)/\($0)" }
        target.paths += described.resources.compactMap(relative)
        let place = absolutePath(described.path, from: package.path)
        for path in declared.resources.compactMap({ relative(absolutePath($0, from: place)) })
        where !target.paths.contains(path) {
            target.paths.append(path)
        }
        target.paths += declared.headerSearchPaths.compactMap { relative("\(place)/\($0)") }
        let isNamedAsTest = described.name.contains("Test") || path.pathComponents.contains("Tests")
        target.isTestSupport = kind == .library && (!described.isInProduct || isNamedAsTest)
        let uses = declared.dependencies + declared.plugins
        target.dependencies = names.intersection(uses.map(\.name))
        target.usesOtherPackages = uses.contains { $0.isProduct || !names.contains($0.name) }
        target.mayReadAnyFile =
            !declared.plugins.isEmpty || !declared.unsafeFlags.allSatisfy { $0.allSatisfy(Self.namesNoFile) }
        return target
    }

    /// Returns a Boolean value that indicates whether a flag of the compiler is none with a path, such as `-O`.
    private static func namesNoFile(_ flag: String) -> Bool {
        flag.hasPrefix("-") && !flag.contains { "/=.@".contains($0) }
            && !["-I", "-F", "-L", "-B", "-l", "-i", "-v"].contains(flag.prefix(2))
    }
}
