import OperatingSystem
import SwiftPackages

/// The dependencies that the libraries of a package need.
struct Dependencies {
    /// The dependencies with their directories.
    let packages: [(directory: String, description: PackageDescription)]

    static let none = Dependencies(packages: [])

    /// A Boolean value that indicates whether dependencies use macros or plugins with build tools.
    var haveBuildTools: Bool { packages.contains { $0.description.hasBuildTools } }

    /// Fetches the dependencies outside the package's directory. Reads the descriptions of those that a product uses.
    static func fetch(
        of package: PackageDescription, for products: [PackageDescription.Product], _ recipe: BuildRecipe,
        _ tools: ToolRunner
    ) throws(OperationFailure) -> Dependencies {
        let form = BuildRecipe.LibraryForm.withInterface
        let isUsed = products.contains(where: package.usesOtherPackages)
        guard isUsed || package.hasDependencies else { return .none }
        try tools.buildQuietly(recipe.resolution(form), in: recipe.directory)
        guard isUsed else { return .none }
        let checkouts = recipe.checkouts(form)
        var packages: [(String, PackageDescription)] = []
        for directory in ((try? listDirectory(checkouts)) ?? []).sorted() where isDirectory("\(checkouts)/\(directory)")
        {
            let directory = "\(checkouts)/\(directory)"
            packages.append((directory, try .read(tools, in: directory, findsLibraries: true)))
        }
        var waiting = package.localPackages
        var known: Set<String> = []
        while let directory = waiting.popLast() {
            guard known.insert(directory).inserted else { continue }
            let description = try PackageDescription.read(tools, in: directory, findsLibraries: true)
            packages.append((directory, description))
            waiting += description.localPackages
        }
        return Dependencies(packages: packages)
    }

    /// Returns the packages that the given targets link, directly or indirectly.
    func packages(
        usedBy targets: [PackageDescription.Target]
    ) -> [(directory: String, description: PackageDescription)] {
        // SwiftPM requires unique module names in a build.
        let used = Set(self.targets(usedBy: targets).map(\.moduleName))
        return packages.filter { $0.description.targets.contains { used.contains($0.moduleName) } }
    }

    /// Returns the targets of dependencies that the given targets link, directly or indirectly.
    func targets(usedBy targets: [PackageDescription.Target]) -> [PackageDescription.Target] {
        var found: [PackageDescription.Target] = []
        var known: Set<String> = []
        var waiting = targets.flatMap(\.foreignProducts)
        while let name = waiting.popLast() {
            guard known.insert(name).inserted else { continue }
            // SwiftPM requires unique product names in a build.
            for (_, package) in packages {
                guard let product = package.products.first(where: { $0.name == name }) else { continue }
                let more = package.closure(of: product.targets)
                found += more
                waiting += more.flatMap(\.foreignProducts)
            }
        }
        return found
    }
}
