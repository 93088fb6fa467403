import Archives
import OperatingSystem
import SwiftPackages
import Text

/// The files that `package` creates besides the archive for those who install the programs.
struct ToolPackages {
    let formats: [String]
    let record: PackageRecord
    let files: InstallableFiles
    let summary: String
    let maintainer: String
    let tools: ToolRunner

    /// Writes the Debian package and the container image, if they are wanted.
    ///
    /// - Parameters:
    ///   - base: The path of the archive without its extension.
    ///   - programs: The paths of the programs.
    func write(to base: String, programs: [String]) throws(OperationFailure) -> [WrittenFile] {
        if formats.isEmpty { return [] }
        guard !programs.isEmpty else { throw .refused(["'formats' needs a product that is an executable"]) }
        let isLinux = record.triple.range(of: "-linux") != nil
        var written: [(suffix: String, bytes: [UInt8])] = []
        // On macOS, a release with Linux machines may want these files from them.
        if formats.contains("deb"), isLinux {
            let dependencies = try DebianDependencies(tools: tools).packages(for: programs)
            let package = DebianPackage(
                record: record, files: files, summary: summary, maintainer: maintainer, dependencies: dependencies)
            written.append((DebianPackage.suffix, try package.bytes()))
        }
        if formats.contains("image"), isLinux {
            let licenses = "usr/share/doc/\(PackageOrder.fileName(record.name))/licenses"
            let libraries =
                files.areStatic
                ? [] : try SystemLibraryFiles(tools: tools).entries(for: programs, licenses: licenses)
            let image = ContainerImage(record: record, files: files, libraries: libraries, summary: summary)
            written.append((ContainerImage.suffix, try image.bytes()))
        }
        return try convertingArchiveErrors { () throws(ArchiveError) in
            var files: [WrittenFile] = []
            for (suffix, bytes) in written { files.append(try HashedOutputFile.write(bytes, to: base + suffix)) }
            return files
        }
    }
}
