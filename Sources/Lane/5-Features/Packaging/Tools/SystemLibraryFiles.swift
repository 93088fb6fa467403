import Archives
import OperatingSystem
import SwiftPackages
import Text

/// The shared libraries of the system that programs need, with their licenses, for a container image without a system.
struct SystemLibraryFiles {
    let tools: ToolRunner

    /// Returns the entries at the paths of the libraries.
    ///
    /// - Parameter licenses: The directory of licenses in the image.
    func entries(for programs: [String], licenses: String) throws(OperationFailure) -> [ArchiveEntry] {
        var paths: Set<String> = []
        for program in programs {
            paths.formUnion(Self.paths(in: try tools.text("ldd", [program], in: "/")))
        }
        var entries: [ArchiveEntry] = []
        var packages: Set<String> = []
        for path in paths.sorted() {
            let bytes = try convertingFileErrors { () throws(FileError) in try readFile(path) }
            entries.append(ArchiveEntry(String(path.dropFirst()), .bytes(bytes, isExecutable: true)))
            guard let name = DebianDependencies(tools: tools).owner(of: lastPathComponent(path)),
                packages.insert(name).inserted, let text = try? readFile("/usr/share/doc/\(name)/copyright")
            else { continue }
            entries.append(ArchiveEntry("\(licenses)/\(name)/copyright", .bytes(text, isExecutable: false)))
        }
        return entries
    }

    /// Returns the paths in the output of `ldd`.
    static func paths(in listing: String) -> [String] {
        listing.lines.compactMap { line in
            line.split { $0 == " " || $0 == "\t" }.first { $0.hasPrefix("/") }.map(String.init)
        }
    }
}
