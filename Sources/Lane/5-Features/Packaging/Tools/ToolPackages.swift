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

/// The programs of an archive with the files that belong to them, for other kinds of packages.
struct InstallableFiles {
    /// The entries of the archive by their paths below its root directory.
    let entries: [String: ArchiveEntry.Content]
    /// The names of the programs.
    let programs: [String]
    /// A Boolean value that indicates whether the programs need no libraries of the system.
    let areStatic: Bool

    init(of built: PackageOrder.Built, base: String) {
        let prefix = base + "/"
        var entries: [String: ArchiveEntry.Content] = [:]
        for entry in built.contents.entries where entry.content != .directory && entry.path.hasPrefix(prefix) {
            entries[String(entry.path.dropFirst(prefix.count))] = entry.content
        }
        self.entries = entries
        programs = built.executables.map(\.name)
        areStatic = built.areStatic
    }

    /// Returns the programs and their resources below `directory`, with links to the programs in `usr/bin` if there are
    /// resources. Programs search for resources beside themselves.
    func programs(resourcesIn directory: String) -> [ArchiveEntry] {
        let files = entries.filter { $0.key.hasPrefix("bin/") }
        let hasResources = files.keys.contains { !programs.map { "bin/\($0)" }.contains($0) }
        let target = hasResources ? directory : "usr/bin"
        var result = files.map { ArchiveEntry("\(target)/\($0.key.dropFirst(4))", $0.value) }
        if hasResources { result += programs.map { ArchiveEntry("usr/bin/\($0)", .link("../../\(directory)/\($0)")) } }
        return result
    }

    /// The licenses of code that isn't part of the package, by their paths.
    var licenses: [(path: String, content: ArchiveEntry.Content)] {
        entries.filter { LinkedLicenses.isLicense($0.key) && $0.key.contains("/") }.map { ($0.key, $0.value) }
    }

    /// Returns the text of the package's license, or `nil` if there is none.
    func license() throws(OperationFailure) -> String? {
        let name = entries.keys.filter { LinkedLicenses.isLicense($0) && !$0.contains("/") }.min()
        guard let content = name.flatMap({ entries[$0] }) else { return nil }
        return String(decoding: try content.bytes(), as: UTF8.self)
    }
}

extension ArchiveEntry.Content {
    /// Returns the bytes of a file, or no bytes for a directory or a link.
    func bytes() throws(OperationFailure) -> [UInt8] {
        switch self {
        case .bytes(let bytes, _): bytes
        case .file(let path, _): try convertingFileErrors(of: readFile(path))
        case .directory, .link: []
        }
    }
}

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
            let bytes = try convertingFileErrors(of: readFile(path))
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
