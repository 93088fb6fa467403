import Actions
import Archives
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// A checksum file with its path.
struct LocatedChecksumFile {
    let path: String
    let content: ChecksumFile
}

/// The manifests of checksum files, which `publish` reads.
struct ChecksumManifests {
    let sums: [LocatedChecksumFile]
    /// The signatures by the paths of their checksum files.
    var signatures: [String: WrittenFile] = [:]
    let context: StepContext

    /// Writes the manifests. Does nothing outside a repository or before the first commit, because nothing can be
    /// published then.
    func writeManifests() throws(OperationFailure) {
        let git = Git(context)
        let head = try git.attempt(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        guard head.report.succeeded, let commit = head.text.lines.first else { return }
        let version = (try? WorkingVersion.findIfAny(Settings(), in: context))?.version.description
        let directories = Dictionary(grouping: sums) { parentDirectory($0.path) }
        for (directory, sums) in directories.sorted(by: { $0.key < $1.key }) {
            let listed = ReleaseManifest.all(in: "\(context.directory)/\(directory)")
            let known = listed.filter { $0.manifest.commit == commit && !$0.name.hasPrefix(Self.name) }
                .flatMap(\.manifest.files)
            let files = try files(of: sums, in: directory).filter { !known.contains($0) }
            guard !files.isEmpty else { continue }
            // Checksums of listed files are not new.
            let isNew = files.contains {
                !ChecksumFile.isChecksumFile($0.name) && !ChecksumSignature.isSignature($0.name)
            }
            let changes = isNew ? try changes(except: createdPaths(in: directory, sums), git) : []
            var manifest = ReleaseManifest(version: version, commit: commit, changes: changes, files: files)
            let name = "\(Self.name)\(version.map { "-\($0)" } ?? "")\(ReleaseManifest.suffix)"
            if var earlier = listed.first(where: { $0.name == name })?.manifest, earlier.commit == commit {
                earlier.add(manifest)
                manifest = earlier
            }
            try manifest.write(to: directory == "." ? name : "\(directory)/\(name)", context)
        }
    }

    private static let name = "checksums"

    private func changes(except created: [String], _ git: Git) throws(OperationFailure) -> [String] {
        let directory = try context.makeScratchDirectory("checksum")
        defer { try? removeTree(directory) }
        return try CheckoutChanges.read(git, except: created, in: directory)
    }

    /// Returns the files that have checksums, and the checksum files.
    private func files(
        of sums: [LocatedChecksumFile], in directory: String
    ) throws(OperationFailure) -> [ReleaseManifest.File] {
        var files: [ReleaseManifest.File] = []
        for sum in sums {
            for entry in sum.content.entries {
                let size = try convertingFileErrors { () throws(FileError) in
                    try fileSize("\(context.directory)/\(directory)/\(entry.name)")
                }
                files.append(.init(name: entry.name, size: size, sha256: entry.sum))
            }
            let bytes = Array(sum.content.text.utf8)
            files.append(
                .init(
                    name: lastPathComponent(sum.path), size: bytes.count,
                    sha256: SHA256.digest(of: bytes).description))
            if let signature = signatures[sum.path] {
                files.append(
                    .init(
                        name: lastPathComponent(signature.path), size: signature.size,
                        sha256: signature.sha256.description))
            }
        }
        return files.sorted { $0.name < $1.name }
    }

    /// Returns the paths to exclude from the list of changes: those of created files, or their directory.
    private func createdPaths(in directory: String, _ sums: [LocatedChecksumFile]) -> [String] {
        directory == "."
            ? sums.flatMap {
                [$0.path] + (signatures[$0.path].map { [lastPathComponent($0.path)] } ?? [])
                    + $0.content.entries.map(\.name)
            } : [directory]
    }
}
