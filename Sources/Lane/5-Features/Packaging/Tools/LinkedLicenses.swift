import Archives
import OperatingSystem
import SwiftPackages
import Text

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
                let bytes = try convertingFileErrors { () throws(FileError) in try readFile("\(source)/\(file)") }
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
