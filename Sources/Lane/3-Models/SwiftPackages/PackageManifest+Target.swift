import Text

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
            headerSearchPaths = settings.compactMap { $0["kind"]?["headerSearchPath"]?["_0"]?.string }
            linkedLibraries = settings.filter { Self.applies($0["condition"]) }
                .compactMap { $0["kind"]?["linkedLibrary"]?["_0"]?.string }
            unsafeFlags = settings.compactMap { $0["kind"]?["unsafeFlags"]?.strings("_0") }
            pkgConfig = node["pkgConfig"]?.string
            debianPackages = (node["providers"]?.array ?? []).flatMap { $0["apt"]?.array ?? [] }
                .flatMap { $0.array ?? [] }.compactMap(\.string)
            excluded = node.strings("exclude")
            sources = node["sources"]?.array?.compactMap(\.string)
            resources = (node["resources"]?.array ?? []).compactMap { $0["path"]?.string }
        }

        #if os(Linux)
            private static let platform = "linux"
        #else
            private static let platform = "macos"
        #endif

        /// Returns a Boolean value that indicates whether a setting applies to a release build on this platform.
        private static func applies(_ condition: JSONNode?) -> Bool {
            let platforms = condition?.strings("platformNames") ?? []
            return (platforms.isEmpty || platforms.contains(platform))
                && condition?["config"]?.string.map { $0 == "release" } ?? true
        }
    }
}
