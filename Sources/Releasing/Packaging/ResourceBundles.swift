import Archives
import Files
import LaneRun

/// The resource bundles of targets, which SwiftPM writes to the directory of products. Programs search for them in
/// their own directory, and then in the build directory.
enum ResourceBundles {
    private static let endings = [".resources", ".bundle"]

    /// Returns the bundles that a product refers to. Earlier builds may have left others.
    ///
    /// - Parameter directory: The directory of bundles; by default that of the product.
    static func folders(of file: String, in directory: String? = nil) throws(StepFailure) -> [String] {
        try onFiles { () throws(FileError) in
            let products = directory ?? parentDirectory(file)
            var folders: [String] = []
            for name in try listDirectory(products) where endings.contains(where: name.hasSuffix) {
                guard isDirectory("\(products)/\(name)"), try Releasing.file(file, holds: name) else { continue }
                folders.append("\(products)/\(name)")
            }
            return folders
        }
    }

    /// Returns archive entries of the bundles in the directory of the product.
    static func entries(of file: String, below place: String) throws(StepFailure) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        for folder in try folders(of: file) {
            entries += try onArchives { () throws(ArchiveError) in
                try ArchiveContents.tree(at: folder).below("\(place)/\(lastPathComponent(folder))").entries
            }
        }
        return entries
    }
}
