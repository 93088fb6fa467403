import Archives
import OperatingSystem
import SwiftPackages
import Text

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
        return String(decoding: try bytes(of: content), as: UTF8.self)
    }

    /// Returns the bytes of a file.
    func bytes(of content: ArchiveEntry.Content) throws(OperationFailure) -> [UInt8] {
        switch content {
        case .bytes(let bytes, _): bytes
        case .file(let path, _): try convertingFileErrors { () throws(FileError) in try readFile(path) }
        case .directory, .link: []
        }
    }
}
