import OperatingSystem
import Packaging
import Text

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
