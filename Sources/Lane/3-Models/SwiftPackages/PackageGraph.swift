import OperatingSystem
package import Text

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

    /// Parses the outputs of `swift package describe --type json` and `swift package dump-package`.
    ///
    /// - Parameter directory: The directory of the package, relative to the root of the repository.
    package init?(description: JSONNode, manifest: JSONNode, directory: String) {
        guard let root = description["path"]?.string, let described = description["targets"]?.array,
            let declared = manifest["targets"]?.array
        else { return nil }
        let reader = PackageReader(root: root, directory: directory)
        let declarations = Dictionary(declared.map { ($0["name"]?.string ?? "", $0) }) { first, _ in first }
        var targets: [Target] = []
        // Snippets are programs that SwiftPM finds by itself, and that no target can depend on.
        for target in described where target["type"]?.string != "snippet" {
            guard let name = target["name"]?.string, let declaration = declarations[name],
                let read = reader.target(name, target, declaration, names: Set(declarations.keys))
            else { return nil }
            targets.append(read)
        }
        self.init(directory: directory, targets: targets)
        for product in manifest["products"]?.array ?? [] {
            guard let name = product["name"]?.string else { continue }
            let parts = (product["targets"]?.array ?? []).compactMap(\.string)
            if product["type"]?["executable"] != nil { programs[name, default: []].formUnion(parts) }
        }
        for dependency in manifest["dependencies"]?.array ?? [] {
            for place in dependency["fileSystem"]?.array ?? [] {
                if let path = place["path"]?.string.flatMap(reader.relative) { localPackages.append(path) }
            }
        }
    }

    /// The test targets in the order of their names.
    package var testTargets: [Target] { targets.filter { $0.kind == .test }.sorted { $0.name < $1.name } }
}

/// A reader of the descriptions of targets.
private struct PackageReader {
    /// The absolute path of the package.
    let root: String
    /// The directory of the package, relative to the root of the repository.
    let directory: String

    /// Returns a path relative to the root of the repository, or `nil` for one outside.
    func relative(_ path: String) -> String? {
        let repository = directory.isEmpty ? root : String(root.dropLast(directory.count + 1))
        let absolute = absolutePath(path, from: root)
        if absolute == repository { return "" }
        return absolute.hasPrefix("\(repository)/") ? String(absolute.dropFirst(repository.count + 1)) : nil
    }

    func target(
        _ name: String, _ described: JSONNode, _ declared: JSONNode, names: Set<String>
    ) -> PackageGraph.Target? {
        guard let path = described["path"]?.string.flatMap(relative) else { return nil }
        let kind: PackageGraph.Target.Kind =
            switch declared["type"]?.string {
            case "test": .test
            case "executable": .executable
            case "plugin", "macro": .plugin
            default: .library
            }
        var target = PackageGraph.Target(name, kind, path: path, module: described["c99name"]?.string)
        target.isSwift = described["module_type"]?.string != "ClangTarget"
        target.sources = (described["sources"]?.array ?? []).compactMap(\.string).map { "\(path)/\($0)" }
        for resource in described["resources"]?.array ?? [] {
            if let place = resource["path"]?.string.flatMap(relative) { target.paths.append(place) }
        }
        let place = absolutePath(described["path"]?.string ?? "", from: root)
        for resource in declared["resources"]?.array ?? [] {
            let path = resource["path"]?.string.flatMap { relative(absolutePath($0, from: place)) }
            if let path, !target.paths.contains(path) { target.paths.append(path) }
        }
        let products = described["product_memberships"]?.array ?? []
        let isNamedSo = name.contains("Test") || path.pathComponents.contains("Tests")
        target.isTestSupport = kind == .library && (products.isEmpty || isNamedSo)
        add(declared, names, to: &target)
        return target
    }

    /// Returns a Boolean value that indicates whether a flag of the compiler is none with a path, such as `-O`.
    private static func namesNoFile(_ flag: String) -> Bool {
        flag.hasPrefix("-") && !flag.contains { "/=.@".contains($0) }
            && !["-I", "-F", "-L", "-B", "-l", "-i", "-v"].contains(flag.prefix(2))
    }

    private func add(_ declared: JSONNode, _ names: Set<String>, to target: inout PackageGraph.Target) {
        let plugins = declared["pluginUsages"]?.array ?? []
        for dependency in (declared["dependencies"]?.array ?? []) + plugins {
            for member in dependency.members ?? [] {
                guard let name = member.value.array?.first?.string else { continue }
                if names.contains(name) { target.dependencies.insert(name) }
                if member.name == "product" || !names.contains(name) { target.usesOtherPackages = true }
            }
        }
        target.mayReadAnyFile = !plugins.isEmpty
        for setting in declared["settings"]?.array ?? [] {
            for kind in setting["kind"]?.members ?? [] {
                switch kind.name {
                case "unsafeFlags":
                    let flags = (kind.value["_0"]?.array ?? []).map { $0.string ?? "" }
                    if !flags.allSatisfy(Self.namesNoFile) { target.mayReadAnyFile = true }
                case "headerSearchPath":
                    let path = kind.value["_0"]?.string ?? ""
                    let base = target.paths[0]
                    let absolute = "\(root)/\(base.dropFirst(directory.isEmpty ? 0 : directory.count + 1))/\(path)"
                    if let place = relative(absolute) { target.paths.append(place) }
                default: break
                }
            }
        }
    }
}
