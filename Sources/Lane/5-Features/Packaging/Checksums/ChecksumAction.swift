package import Actions
import Archives
import Events
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `checksum` action: writes SHA-256 checksums in the format of `sha256sum`.
package struct ChecksumAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "checksum", "Write the SHA-256 checksums of files", shorthand: "files",
        settings: [
            SettingSchema(
                "files", .list(.string), "The files, as paths or glob patterns", default: .list([.string("dist/*")])),
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
            for sum in sums { signatures[sum.path] = try sign(sum.path, signer, context) }
        }
        try ChecksumManifests(sums: sums, signatures: signatures, context: context).writeManifests()
        return StepResult(outputs: ["files": .list(sums.map { .string($0.path) })])
    }

    private func patterns(_ settings: Settings) -> [String] { settings.strings("files") ?? ["dist/*"] }

    private func entry(
        for file: String, seenFrom directory: String, _ context: StepContext
    ) throws(OperationFailure) -> ChecksumFile.Entry {
        if context.cancellation.isCancelled { throw OperationFailure("cancelled", cause: .cancelled) }
        let digest = try convertingArchiveErrors { () throws(ArchiveError) in
            try SHA256.digest(ofFile: "\(context.directory)/\(file)")
        }
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

    private func sign(
        _ path: String, _ signer: ReleaseSigner, _ context: StepContext
    ) throws(OperationFailure) -> WrittenFile {
        let file = try signer.sign("\(context.directory)/\(path)")
        let signature = "\(parentDirectory(path))/\(lastPathComponent(file.path))"
        context.transaction?.plan(.keep(relativePath: signature))
        context.announce(Artifact(path: signature, size: file.size, sha256: file.sha256.description))
        return file
    }

    /// Writes a file unless it has the same content.
    private func write(_ content: ChecksumFile, to path: String, _ context: StepContext) throws(OperationFailure) {
        let target = "\(context.directory)/\(path)"
        let bytes = Array(content.text.utf8)
        context.transaction?.plan(.keep(relativePath: path))
        if (try? readFile(target)) == bytes { return }
        try convertingFileErrors { () throws(FileError) in
            // The signatures of the earlier content would be wrong.
            for kind in ChecksumSignature.allCases { try removeTree(target + kind.suffix) }
        }
        let file = try convertingArchiveErrors { () throws(ArchiveError) in
            try HashedOutputFile.write(bytes, to: target)
        }
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
