import Archives
import OperatingSystem
import SwiftPackages
import Text

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

/// The licenses of the code in an archive that isn't part of the package: its dependencies, the Swift libraries, and the
/// system libraries that are linked statically.
struct LinkedLicenses {
    let toolchain: Toolchain
    let package: PackageDescription
    let dependencies: Dependencies
    /// The directory in the archive.
    let directory: String

    /// Returns the entries, and the names of the components without a license.
    ///
    /// - Parameter linkages: The linkages of the executables.
    func entries(
        of products: [PackageDescription.Product], linkages: [BuildRecipe.Linkage]
    ) throws(OperationFailure) -> (entries: [ArchiveEntry], missing: [String]) {
        let own = package.closure(of: products.flatMap(\.targets))
        var components = dependencies.packages(usedBy: own).map { (lastPathComponent($0.directory), $0.directory) }
        if linkages.contains(where: { $0 != .dynamic }) {
            components.append(("swift", "\(toolchain.binaries)/../share/swift"))
        }
        if linkages.contains(.full) {
            let names = (own + dependencies.targets(usedBy: own)).flatMap(\.debianPackages) + ["libc6-dev"]
            components += Set(names).sorted().map { ($0, "/usr/share/doc/\($0)") }
        }
        var entries: [ArchiveEntry] = []
        var missing: [String] = []
        for (name, source) in components {
            let files = ((try? listDirectory(source)) ?? []).filter {
                Self.isLicense(named: $0) && !isDirectory("\(source)/\($0)")
            }
            if files.isEmpty { missing.append(name) }
            for file in files {
                let bytes = try convertingFileErrors(of: readFile("\(source)/\(file)"))
                entries.append(ArchiveEntry("\(directory)/\(name)/\(file)", .bytes(bytes, isExecutable: false)))
            }
        }
        return (entries, missing)
    }

    /// Returns a Boolean value that indicates whether a file contains a license, as its name shows.
    private static func isLicense(named name: String) -> Bool {
        // `copyright` is the name in Debian packages.
        name == "copyright" || ["LICEN", "COPYING", "NOTICE"].contains { name.uppercased().hasPrefix($0) }
    }

    /// Returns a Boolean value that indicates whether an entry of an archive is a license of the package or of other code.
    static func isLicense(_ path: String) -> Bool {
        isLicense(named: lastPathComponent(path))
            && (!path.contains("/") || path.hasPrefix("share/doc/") && path.range(of: "/licenses/") != nil)
    }
}
