package import SwiftPackages
import Text

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

    package init(_ manifest: PackageManifest) {
        products = Dictionary(manifest.products.map { ($0.name, $0.kind) }) { _, last in last }
        let targets = Set(manifest.products.filter(\.isLibrary).flatMap(\.targets))
        libraryTargets = targets.sorted()
        importableTargets = manifest.targets.filter { ["regular", "system"].contains($0.kind) }.map(\.name)
        let sources = manifest.targets.filter { $0.kind == "regular" }
        sourceTargets = sources.map(\.name).filter(targets.contains).sorted()
        let included = Set(sourceTargets.flatMap { Self.dependencies(of: [$0], among: sources, builds: true) })
        rootTargets = sourceTargets.filter { !included.contains($0) }
        internalTargets = Self.dependencies(of: targets, among: sources).subtracting(targets).sorted()
        (platforms, toolsVersion) = (manifest.platforms, manifest.toolsVersion)
    }

    /// Returns the targets on which others depend, directly or not.
    ///
    /// - Parameter builds: A Boolean value that indicates whether to omit dependencies with a condition, such as a platform.
    private static func dependencies(
        of targets: Set<String>, among all: [PackageManifest.Target], builds: Bool = false
    ) -> Set<String> {
        let known = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        var found: Set<String> = []
        var open = Array(targets)
        while let target = open.popLast() {
            for dependency in known[target]?.dependencies ?? []
            where !dependency.isProduct && known[dependency.name] != nil && !(builds && dependency.isConditional) {
                if found.insert(dependency.name).inserted { open.append(dependency.name) }
            }
        }
        return found
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
