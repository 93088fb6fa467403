import Actions
import Archives
import OperatingSystem
package import Text

/// The files that a step created for a version, with their hashes. Unless the lane file names other files, `publish`
/// uploads only files in manifests.
package struct ReleaseManifest: Sendable, Equatable {
    /// A file with its hash.
    package struct File: Sendable, Equatable {
        /// The path relative to the directory of the manifest.
        package let name: String
        /// The size in bytes.
        let size: Int
        /// The 64 lowercase hexadecimal digits.
        package let sha256: String
    }

    /// The extension of manifests.
    package static let suffix = ".manifest.json"
    private static let type = "urn:lane:manifest:1"

    /// The version, or `nil` for a package without one.
    package let version: String?
    /// The commit that was checked out.
    package let commit: String
    /// The paths of uncommitted changes.
    package internal(set) var changes: [String]
    /// The files that the step created.
    package internal(set) var files: [File]

    package init(version: String?, commit: String, changes: [String] = [], files: [File]) {
        (self.version, self.commit, self.changes, self.files) = (version, commit, changes, files)
    }

    /// Creates the manifest of written files.
    init(version: SemanticVersion, commit: String, files: [WrittenFile]) {
        self.init(version: version.description, commit: commit, files: files.map { File($0) })
    }

    /// Parses a manifest. Returns `nil` for any other file.
    package init?(reading bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), node["type"]?.string == Self.type,
            let commit = node["commit"]?.string, let files = node["files"]?.array, let changes = node["changes"]?.array
        else { return nil }
        version = node["version"]?.string
        self.commit = commit
        self.changes = changes.compactMap(\.string)
        self.files = files.compactMap { file in
            guard let name = file["name"]?.string, let size = file["size"]?.integer, let sum = file["sha256"]?.string
            else { return nil }
            return File(name: name, size: size, sha256: sum)
        }
        guard self.files.count == files.count else { return nil }
    }

    var bytes: [UInt8] {
        JSONWriter.documentBytes { writer in
            writer.member("type", Self.type)
            if let version { writer.member("version", version) }
            writer.member("commit", commit)
            writer.member("changes", changes)
            writer.array("files") { writer in
                for file in files {
                    writer.object { writer in
                        writer.member("name", file.name)
                        writer.member("size", file.size)
                        writer.member("sha256", file.sha256)
                    }
                }
            }
        }
    }

    /// Adds the files of a later step. They replace files of the same name.
    mutating func add(_ other: ReleaseManifest) {
        let names = Set(other.files.map(\.name))
        files = (files.filter { !names.contains($0.name) } + other.files).sorted { $0.name < $1.name }
        changes = Set(changes + other.changes).sorted()
    }

    /// Writes the manifest. A transaction keeps the file.
    func write(to path: String, _ context: StepContext) throws(OperationFailure) {
        let target = "\(context.directory)/\(path)"
        let bytes = bytes
        context.transaction?.plan(.keep(relativePath: path))
        if (try? readFile(target)) == bytes { return }
        try convertingFileErrors(of: writeFile(bytes, to: target))
    }

    /// Returns the files of the highest version in a directory, sorted by name, or `nil` if there are none.
    package static func last(in directory: String) -> (version: SemanticVersion, files: [File])? {
        let manifests = all(in: directory).map(\.manifest)
        guard let version = manifests.compactMap({ $0.version.flatMap { SemanticVersion($0) } }).max() else {
            return nil
        }
        let files = manifests.filter { $0.version == version.description }.flatMap(\.files)
        return (version, files.sorted { $0.name < $1.name })
    }

    /// Returns the manifests in a directory, sorted by name.
    package static func all(in directory: String) -> [(name: String, manifest: ReleaseManifest)] {
        let names = ((try? listDirectory(directory)) ?? []).filter { $0.hasSuffix(suffix) }
        return names.compactMap { name in
            guard fileKind("\(directory)/\(name)") == .file, let bytes = try? readFile("\(directory)/\(name)") else {
                return nil
            }
            return ReleaseManifest(reading: bytes).map { (name, $0) }
        }
    }
}

extension ReleaseManifest.File {
    init(_ file: WrittenFile) {
        self.init(name: lastPathComponent(file.path), size: file.size, sha256: file.sha256.description)
    }
}
