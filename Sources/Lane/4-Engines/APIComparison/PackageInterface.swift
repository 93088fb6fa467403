package import Text

/// The parts of a manifest on which clients depend.
package struct PackageInterface: Sendable, Equatable {
    /// The names of the products with their kinds.
    private let products: [String: String]
    /// The names of the targets in library products, sorted.
    private let libraryTargets: [String]
    /// The targets in library products that have sources, sorted. Their modules may be in Swift or C.
    package let sourceTargets: [String]
    /// The source targets on which no other one depends, sorted. Their builds include the others.
    package let rootTargets: [String]
    /// The targets with sources that no library product contains, and on which its targets depend, sorted.
    package let internalTargets: [String]
    /// The names of all targets that other targets can import.
    package let importableTargets: [String]
    private let platforms: [String: SemanticVersion]
    private let toolsVersion: SemanticVersion?

    /// Creates the interface from the output of `swift package dump-package`.
    package init(_ manifest: JSONNode) {
        var products: [String: String] = [:]
        var targets: Set<String> = []
        for product in manifest["products"]?.array ?? [] {
            guard let name = product["name"]?.string, let kind = product["type"]?.members?.first?.name else { continue }
            products[name] = kind
            if kind == "library" { targets.formUnion((product["targets"]?.array ?? []).compactMap(\.string)) }
        }
        self.products = products
        libraryTargets = targets.sorted()
        let all = manifest["targets"]?.array ?? []
        importableTargets = all.filter { ["regular", "system"].contains($0["type"]?.string) }
            .compactMap { $0["name"]?.string }
        let sources = all.filter { $0["type"]?.string == "regular" }
        sourceTargets = sources.compactMap { $0["name"]?.string }.filter(targets.contains).sorted()
        let included = Set(sourceTargets.flatMap { Self.dependencies(of: [$0], among: sources, builds: true) })
        rootTargets = sourceTargets.filter { !included.contains($0) }
        internalTargets = Self.dependencies(of: targets, among: sources).subtracting(targets).sorted()
        platforms = (manifest["platforms"]?.array ?? []).reduce(into: [:]) { platforms, node in
            guard let name = node["platformName"]?.string else { return }
            platforms[name] = node["version"]?.string.flatMap(Self.version)
        }
        toolsVersion = manifest["toolsVersion"]?["_version"]?.string.flatMap(Self.version)
    }

    /// Returns the targets on which others depend, directly or not.
    ///
    /// - Parameter builds: A Boolean value that indicates whether to omit dependencies with a condition, such as a platform.
    private static func dependencies(
        of targets: Set<String>, among nodes: [JSONNode], builds: Bool = false
    ) -> Set<String> {
        let known = Dictionary(nodes.compactMap { node in node["name"]?.string.map { ($0, node) } }) { first, _ in first
        }
        var found: Set<String> = []
        var open = Array(targets)
        while let target = open.popLast() {
            for dependency in known[target]?["dependencies"]?.array ?? [] {
                let parts = (dependency["byName"] ?? dependency["target"])?.array ?? []
                guard let name = parts.first?.string, known[name] != nil, !builds || parts.last?.members == nil else {
                    continue
                }
                if found.insert(name).inserted { open.append(name) }
            }
        }
        return found
    }

    /// Returns the version of `10.15` or `13`.
    private static func version(_ text: String) -> SemanticVersion? {
        let parts = text.split(separator: ".").count
        return SemanticVersion(text + String(repeating: ".0", count: max(0, 3 - parts)))
    }

    /// Returns the changes that break the build of a client: products and modules that vanish, raised versions.
    package func changes(to new: PackageInterface) -> [APIChange] {
        var changes = products.keys.sorted().filter { new.products[$0] != products[$0] }.map { name in
            APIChange(
                "product '\(name)'", old: products[name].map { ".\($0)" }, new: new.products[name].map { ".\($0)" })
        }
        changes += libraryTargets.filter { !new.libraryTargets.contains($0) }.map {
            APIChange("target '\($0)'", old: "in a library product", new: nil)
        }
        for (name, version) in new.platforms.sorted(by: { $0.key < $1.key })
        where platforms[name].map({ $0 < version }) ?? true {
            changes.append(
                APIChange("platform '\(name)'", old: platforms[name]?.description, new: version.description))
        }
        if let old = toolsVersion, let version = new.toolsVersion, old < version {
            changes.append(APIChange("tools version", old: old.description, new: version.description))
        }
        return changes
    }
}
