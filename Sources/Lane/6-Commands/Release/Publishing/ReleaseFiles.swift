import Archives
import LaneModel
import OperatingSystem
import Packaging
import Text

/// A search for the files of a release, with checks of their names and sizes.
enum ReleaseFiles {
    /// The limits of GitHub: less than 2 GiB for a file, and 1,000 files for a release.
    private static let largest = 1 << 31
    private static let most = 1000

    /// - Parameter mayBeNone: A closure that returns whether the release may have no files. It is called if no file in
    ///   `dist` names the version.
    static func find(
        _ settings: Settings, _ tag: PublishedTag, in root: String, mayBeNone: () -> Bool
    ) throws(OperationFailure) -> [ReleaseFile] {
        let named = settings.strings("files")
        let made = CreatedFiles(root: root, tag: tag)
        var paths: [String]
        var problems: [String] = []
        if let named {
            paths = try ArtifactFiles.find(named, below: root).paths.filter {
                !$0.hasSuffix(ReleaseManifest.suffix) || named.contains($0)
            }
        } else {
            (paths, problems) = try made.ofVersion(in: "dist")
            guard !paths.isEmpty || !problems.isEmpty || mayBeNone() else {
                throw .refused([
                    "no file in 'dist' names \(tag.version?.description ?? tag.name)\n"
                        + "hint: package it first, or set 'files: []' for a release without files"
                ])
            }
        }
        var files: [ReleaseFile] = []
        for path in paths {
            // A pattern may match a link that is not meant to be uploaded.
            if fileKind("\(root)/\(path)") != .file, named?.contains(path) != true {
                problems.append("'\(path)' is a link\nhint: add it to 'files' to upload it")
                continue
            }
            let digest = try convertingArchiveErrors(of: SHA256.digest(ofFile: "\(root)/\(path)"))
            let size = try convertingFileErrors(of: fileSize("\(root)/\(path)"))
            let file = ReleaseFile(
                name: lastPathComponent(path), path: "\(root)/\(path)", size: size, sha256: digest.description)
            if let problem = made.problem(with: path, file) { problems.append(problem) }
            files.append(file)
        }
        if problems.isEmpty { problems = ChecksumVerification.problems(of: paths, below: root) }
        problems += Self.problems(with: files)
        guard problems.isEmpty else { throw .refused(problems) }
        return files
    }

    private static func problems(with files: [ReleaseFile]) -> [String] {
        var problems: [String] = []
        if files.count > most { problems.append("expected at most \(most) files, found \(files.count)") }
        for (index, file) in files.enumerated() {
            let kept = ReleaseFile.keptName(file.name)
            if kept != file.name { problems.append("GitHub would rename '\(file.name)' to '\(kept)'\nhint: rename it") }
            if file.size == 0 { problems.append("'\(file.name)' is empty, which GitHub does not accept") }
            if file.size >= largest {
                problems.append("'\(file.name)' has 2 GiB or more, which GitHub does not accept")
            }
            if files[..<index].contains(where: { $0.name.lowercased() == file.name.lowercased() }) {
                problems.append("two files have the name '\(file.name)'")
            }
        }
        return problems
    }
}

/// A file to upload.
struct ReleaseFile: Sendable, Equatable {
    let name: String
    /// The absolute path.
    let path: String
    let size: Int
    let sha256: String

    var contentType: String {
        let types = [
            ".tar.gz": "application/gzip", ".tgz": "application/gzip", ".zip": "application/zip",
            ".json": "application/json", ".txt": "text/plain", ".md": "text/markdown",
            ChecksumFile.suffix: "text/plain", ChecksumFile.commonName: "text/plain",
        ]
        return types.first { name.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    }

    /// Returns the name that GitHub would give a file. GitHub replaces each run of characters other than letters,
    /// digits and `-_+@.` with a period, and puts `default` before a period at the start.
    static func keptName(_ name: String) -> String {
        var kept = ""
        for character in name {
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-_+@".contains(character))
            if isPlain {
                kept.append(character)
            } else if kept.last != "." {
                kept.append(".")
            }
        }
        return kept.hasPrefix(".") ? "default" + kept : kept
    }
}

/// The files that `package` and `checksum` created for a tag, as recorded in manifests.
struct CreatedFiles {
    let root: String
    let tag: PublishedTag

    /// Returns the files in a directory that were created for the tag's version. Also returns problems with other files
    /// that have the version in their names.
    func ofVersion(in directory: String) throws(OperationFailure) -> (paths: [String], problems: [String]) {
        let manifests = ReleaseManifest.all(in: "\(root)/\(directory)")
        let own = manifests.filter { isOwn($0.manifest) }
        let listed = Set(own.flatMap(\.manifest.files).map(\.name)).filter { !$0.contains("/") }
        let isManifest = Set(manifests.map(\.name))
        let present = (try? listDirectory("\(root)/\(directory)")) ?? []
        var problems = listed.filter { !present.contains($0) }.sorted().map {
            "'\(directory)/\($0)' was created for \(name) but does not exist\nhint: package it again"
        }
        for file in present where !listed.contains(file) && !isManifest.contains(file) && tag.isNamed(by: file) {
            guard !isDirectory("\(root)/\(directory)/\(file)") || fileKind("\(root)/\(directory)/\(file)") == .link
            else {
                continue
            }
            problems.append(foreignFileProblem("\(directory)/\(file)", among: manifests.map(\.manifest)))
        }
        return (listed.filter(present.contains).map { "\(directory)/\($0)" }.sorted(), problems)
    }

    /// Returns the reason why a file must not be uploaded, or `nil` if there is none. A file that no manifest contains
    /// may be uploaded.
    func problem(with path: String, _ file: ReleaseFile) -> String? {
        let manifests = ReleaseManifest.all(in: "\(root)/\(parentDirectory(path))").map(\.manifest)
            .filter { manifest in manifest.files.contains { $0.name == file.name } }
        guard !manifests.isEmpty else { return nil }
        let own = manifests.filter(isOwn)
        guard !own.isEmpty else { return foreignFileProblem(path, among: manifests) }
        let entries = own.flatMap(\.files).filter { $0.name == file.name }
        guard entries.contains(where: { $0.sha256 == file.sha256 }) else {
            return "'\(path)' was changed after it was created: expected the SHA-256 \(entries[0].sha256), "
                + "found \(file.sha256)"
        }
        let changes = own.flatMap(\.changes)
        guard !changes.isEmpty else { return nil }
        return "'\(path)' was created in a checkout with changes: \(list(changes, most: 3))\n"
            + "hint: commit or revert them, create the tag, and package it again"
    }

    private func isOwn(_ manifest: ReleaseManifest) -> Bool {
        manifest.commit == tag.commit && (manifest.version == nil || manifest.version == version)
    }

    private var version: String? { tag.version?.description }
    private var name: String { version ?? tag.name }

    private func foreignFileProblem(_ path: String, among manifests: [ReleaseManifest]) -> String {
        let file = lastPathComponent(path)
        guard let manifest = manifests.first(where: { $0.files.contains { $0.name == file } }) else {
            return
                "'\(path)' was not created by 'package' or 'checksum' for \(name)\nhint: add it to 'files', or remove it"
        }
        guard manifest.commit == tag.commit else {
            return
                "'\(path)' was created from the commit \(manifest.commit.prefix(12)), but the tag '\(tag.name)' is at "
                + "\(tag.commit.prefix(12))\nhint: package it again"
        }
        return "'\(path)' was created for \(manifest.version ?? "no version"), not for \(name)\nhint: package it again"
    }
}
