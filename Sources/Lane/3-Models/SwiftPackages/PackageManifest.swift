package import OperatingSystem
package import Text

/// A package as its manifest declares it, by `swift package dump-package`.
///
/// `PackageDescription` adds what SwiftPM finds in the directories of the targets.
package struct PackageManifest: Sendable, Equatable {
    /// A product of a package.
    package struct Product: Sendable, Equatable {
        package let name: String
        /// The kind in the manifest, such as `executable` or `plugin`.
        package let kind: String
        package let targets: [String]

        package var isExecutable: Bool { kind == "executable" }
        package var isLibrary: Bool { kind == "library" }

        init?(_ node: JSONNode) {
            guard let name = node["name"]?.string, let kind = node["type"]?.members?.first?.name else { return nil }
            (self.name, self.kind, targets) = (name, kind, node.strings("targets"))
        }
    }

    /// The name of the package.
    package let name: String?
    package let products: [Product]
    package let targets: [Target]
    /// The minimum versions of platforms by name.
    package let platforms: [String: SemanticVersion]
    package let toolsVersion: SemanticVersion?

    /// Evaluates the manifest of the package in a directory.
    ///
    /// - Parameter options: The options of SwiftPM, such as `--scratch-path`.
    package static func read(
        _ tools: ToolRunner, in directory: String, options: [String] = [], timeout: Duration? = nil
    ) throws(OperationFailure) -> PackageManifest {
        PackageManifest(try tools.askPackage(["dump-package"], options, in: directory, timeout: timeout))
    }

    /// Creates a manifest from the output of `swift package dump-package`.
    package init(_ node: JSONNode) {
        name = node["name"]?.string
        products = (node["products"]?.array ?? []).compactMap(Product.init)
        targets = (node["targets"]?.array ?? []).compactMap(Target.init)
        platforms = (node["platforms"]?.array ?? []).reduce(into: [:]) { platforms, node in
            guard let name = node["platformName"]?.string else { return }
            platforms[name] = node["version"]?.string.flatMap(Self.version)
        }
        toolsVersion = node["toolsVersion"]?["_version"]?.string.flatMap(Self.version)
    }

    /// Returns the version of `10.15` or `13`.
    private static func version(_ text: String) -> SemanticVersion? {
        let parts = text.split(separator: ".").count
        return SemanticVersion(text + String(repeating: ".0", count: max(0, 3 - parts)))
    }
}

extension JSONNode {
    /// Returns the strings in the array that is the value of a member.
    func strings(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}

extension ToolRunner {
    /// Returns an answer of `swift package` about a package.
    func askPackage(
        _ words: [String], _ options: [String], in directory: String, timeout: Duration? = nil
    ) throws(OperationFailure) -> JSONNode {
        let text = try text("swift", ["package"] + options + words, in: directory, timeout: timeout)
        // SwiftPM may print messages before the description.
        guard let node = try? JSONParser.parse(String(text.drop { $0 != "{" })) else {
            throw OperationFailure("'swift package \(words[0])' did not describe the package")
        }
        return node
    }
}

extension PackageManifest {
    /// A target in the manifest.
    package struct Target: Sendable, Equatable {
        /// A use of a target or product.
        package struct Dependency: Sendable, Equatable {
            package let name: String
            /// A Boolean value that indicates whether the manifest states that the dependency is a product.
            package let isProduct: Bool
            /// The identity of the package of a product.
            let package: String?
            /// A Boolean value that indicates whether it depends on a condition, such as a platform.
            package let isConditional: Bool

            /// Parses a member such as `"product": ["Name", "package", null, null]`.
            fileprivate init?(_ node: JSONNode) {
                guard let member = node.members?.first, let parts = member.value.array, let name = parts.first?.string
                else { return nil }
                self.name = name
                isProduct = member.name == "product"
                package = isProduct ? parts.dropFirst().first?.string?.lowercased() : nil
                isConditional = parts.last?.members != nil
            }
        }

        package let name: String
        /// The kind in the manifest, such as `regular`, `system` or `test`.
        package let kind: String
        package let dependencies: [Dependency]
        let plugins: [Dependency]
        /// The directory of headers, or `nil` for the default.
        let headers: String?
        /// The paths to search for headers, relative to the target.
        let headerSearchPaths: [String]
        /// The libraries that a release build on this platform links.
        let linkedLibraries: [String]
        /// The unsafe flags of each setting, on any platform.
        let unsafeFlags: [[String]]
        /// The name of a system library in `pkg-config`.
        let pkgConfig: String?
        /// The names of the Debian packages that provide a system library.
        let debianPackages: [String]
        let excluded: [String]
        /// The sources, or `nil` for all files.
        let sources: [String]?
        let resources: [String]

        init?(_ node: JSONNode) {
            guard let name = node["name"]?.string else { return nil }
            self.name = name
            kind = node["type"]?.string ?? "regular"
            dependencies = (node["dependencies"]?.array ?? []).compactMap(Dependency.init)
            plugins = (node["pluginUsages"]?.array ?? []).compactMap(Dependency.init)
            headers = node["publicHeadersPath"]?.string
            let settings = node["settings"]?.array ?? []
            headerSearchPaths = settings.compactMap { Self.value("headerSearchPath", in: $0) }
            linkedLibraries = settings.filter { Self.applies($0["condition"]) }
                .compactMap { Self.value("linkedLibrary", in: $0) }
            unsafeFlags = settings.compactMap { $0["kind"]?["unsafeFlags"]?.strings("_0") }
            pkgConfig = node["pkgConfig"]?.string
            let providers: [JSONNode] = node["providers"]?.array ?? []
            let packages: [JSONNode] = providers.flatMap { $0["apt"]?.array ?? [] }
            debianPackages = packages.flatMap { $0.array ?? [] }.compactMap(\.string)
            excluded = node.strings("exclude")
            sources = node["sources"]?.array?.compactMap(\.string)
            resources = (node["resources"]?.array ?? []).compactMap { $0["path"]?.string }
        }

        /// Returns the value of a setting, or `nil` if it is of another kind.
        private static func value(_ kind: String, in setting: JSONNode) -> String? {
            setting["kind"]?[kind]?["_0"]?.string
        }

        /// Returns a Boolean value that indicates whether a setting applies to a release build on this platform.
        private static func applies(_ condition: JSONNode?) -> Bool {
            let platforms = condition?.strings("platformNames") ?? []
            return (platforms.isEmpty || platforms.contains(Platform.system))
                && condition?["config"]?.string.map { $0 == "release" } ?? true
        }
    }
}
