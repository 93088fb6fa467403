import Archives
import Files
import LaneRun

/// The folders into which SwiftPM puts the resources of targets, one for each, beside what it builds. There a program
/// looks for them wherever it is started; only when there are none, it looks in the folder where it was built.
enum ResourceBundles {
    private static let endings = [".resources", ".bundle"]

    /// The bundles that the built file names, by their folders: older builds may have left others.
    ///
    /// - Parameter directory: Where to look for them; beside the file when left out.
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

    /// The same as what an archive holds below `place`, which is where the file itself will be.
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
