package import Actions
import Archives
import Events
import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `checksum` action: writes SHA-256 checksums in the format of `sha256sum`.
package struct ChecksumAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "checksum", "Write the SHA-256 checksums of files", shorthand: "files",
        settings: [
            SettingSchema(
                "files", .list(.path), "The files, as paths or glob patterns", default: .list([.string("dist/*")])),
            SettingSchema("into", .path, "One file for all checksums; by default a '.sha256' file beside each file"),
            SettingSchema(
                "sign", .bool, "Sign the checksum files with the key of tags, if git's configuration signs tags"),
        ],
        outputs: [
            ActionOutput("files", .list, "The paths of the checksum files")
        ],
        example: """
            - checksum: [dist/*.tar.gz]
            - checksum: { files: [dist/*.tar.gz], into: dist/SHA256SUMS, sign: true }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        let files = patterns(settings).joined(separator: ", ")
        return
            "write the SHA-256 checksums of \(files) \(settings.string("into").map { "to \($0)" } ?? "to files beside them")"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let files = try ArtifactFiles.find(patterns(settings), below: context.directory).paths.filter {
            !ChecksumFile.isChecksumFile($0) && !ChecksumSignature.isSignature($0)
                && !$0.hasSuffix(ReleaseManifest.suffix) && $0 != settings.string("into")
        }
        guard !files.isEmpty else {
            throw OperationFailure(status: ExitStatus.fileNotFound.rawValue, "no file to compute a checksum of")
        }
        var sums: [LocatedChecksumFile] = []
        if let path = settings.string("into") {
            var entries: [ChecksumFile.Entry] = []
            for file in files { entries.append(try entry(for: file, seenFrom: parentDirectory(path), context)) }
            sums = [LocatedChecksumFile(path: path, content: ChecksumFile(entries))]
        } else {
            for file in files {
                let entry = try entry(for: file, seenFrom: parentDirectory(file), context)
                sums.append(LocatedChecksumFile(path: file + ChecksumFile.suffix, content: ChecksumFile([entry])))
            }
        }
        for sum in sums { try write(sum.content, to: sum.path, context) }
        // The checksums refer to these files, which a transaction would discard.
        for file in files { context.transaction?.plan(.keep(relativePath: file)) }
        var signatures: [String: WrittenFile] = [:]
        if settings.bool("sign") == true, let signer = try ReleaseSigner.find(context) {
            for sum in sums {
                let file = try signer.sign("\(context.directory)/\(sum.path)")
                context.keep(file, in: parentDirectory(sum.path))
                signatures[sum.path] = file
            }
        }
        try ChecksumManifests(sums: sums, signatures: signatures, context: context).writeManifests()
        return StepResult(outputs: ["files": .list(sums.map { .string($0.path) })])
    }

    private func patterns(_ settings: Settings) -> [String] { settings.strings("files") ?? ["dist/*"] }

    private func entry(
        for file: String, seenFrom directory: String, _ context: StepContext
    ) throws(OperationFailure) -> ChecksumFile.Entry {
        if context.cancellation.isCancelled { throw OperationFailure("cancelled", cause: .cancelled) }
        let digest = try convertingArchiveErrors(of: SHA256.digest(ofFile: "\(context.directory)/\(file)"))
        guard let name = relativeName(of: file, seenFrom: directory) else {
            throw .refused(["'\(file)' is not in '\(directory)', the directory of its checksums"])
        }
        return ChecksumFile.Entry(sum: digest.description, name: name)
    }

    private func relativeName(of file: String, seenFrom directory: String) -> String? {
        if directory == "." { return file }
        let name = relativePath(file, to: directory)
        return name == file ? nil : name
    }

    /// Writes a file unless it has the same content.
    private func write(_ content: ChecksumFile, to path: String, _ context: StepContext) throws(OperationFailure) {
        let target = "\(context.directory)/\(path)"
        let bytes = Array(content.text.utf8)
        context.transaction?.plan(.keep(relativePath: path))
        if (try? readFile(target)) == bytes { return }
        try ChecksumSignature.remove(beside: target)
        let file = try convertingArchiveErrors(of: HashedOutputFile.write(bytes, to: target))
        context.announce(Artifact(path: path, size: file.size, sha256: file.sha256.description))
    }
}

/// The files that match patterns of a lane file in a directory.
package struct ArtifactFiles {
    /// The relative paths, sorted and unique.
    package let paths: [String]

    /// Finds the files. A directory stands for its files only if a pattern names it literally. A wildcard matches files
    /// alone: `dist/*` matches the files in `dist`, but not those in `dist/docs`. Throws if a pattern matches no file.
    package static func find(_ patterns: [String], below root: String) throws(OperationFailure) -> ArtifactFiles {
        var paths: Set<String> = []
        var unmatched: [String] = []
        for pattern in patterns {
            let depth = FilePattern(pattern).isLiteral || pattern.contains("**") ? nil : depth(pattern)
            let found = FilePattern(pattern).existingFiles(below: root).filter { path in
                depth.map { $0 == self.depth(path) } ?? true
            }
            if found.isEmpty { unmatched.append("no files match '\(pattern)'") }
            paths.formUnion(found)
        }
        guard unmatched.isEmpty else {
            throw OperationFailure(status: ExitStatus.fileNotFound.rawValue, unmatched.joined(separator: "\n"))
        }
        return ArtifactFiles(paths: paths.sorted())
    }

    private static func depth(_ path: String) -> Int { path.pathComponents.count { $0 != "." } }
}

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
        guard let commit = try git.object(named: "HEAD^{commit}") else { return }
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
            try manifest.write(to: sibling(name, of: sums[0].path), context)
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
                let size = try convertingFileErrors(of: fileSize("\(context.directory)/\(directory)/\(entry.name)"))
                files.append(.init(name: entry.name, size: size, sha256: entry.sum))
            }
            let bytes = Array(sum.content.text.utf8)
            let sha256 = SHA256.digest(of: bytes).description
            files.append(.init(name: lastPathComponent(sum.path), size: bytes.count, sha256: sha256))
            if let signature = signatures[sum.path] { files.append(.init(signature)) }
        }
        return files.sorted { $0.name < $1.name }
    }

    /// Returns the paths to exclude from the list of changes: those of created files, or their directory.
    private func createdPaths(in directory: String, _ sums: [LocatedChecksumFile]) -> [String] {
        guard directory == "." else { return [directory] }
        let signed = sums.compactMap { signatures[$0.path] }
        return sums.map(\.path) + signed.map { lastPathComponent($0.path) }
            + sums.flatMap(\.content.entries).map(\.name)
    }
}
