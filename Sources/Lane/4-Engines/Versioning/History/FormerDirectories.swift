import Git
import OperatingSystem
import Text

/// The directories of a package before it was moved in its repository.
struct FormerDirectories {
    /// Git in the directory of the package.
    let git: Git
    /// The directory relative to the repository's root, with a trailing slash.
    let prefix: String

    private static let manifest = "Package.swift"

    /// Returns the pathspecs of the directories that the package had since a tag, other than its present one. Returns
    /// an empty array if it was not moved, or if the tag does not contain it.
    func pathspecs(at tag: String) throws(OperationFailure) -> [String] {
        let listed = try git.run(["ls-tree", "-r", "-z", "--full-tree", "--name-only", "refs/tags/\(tag)"])
            .standardOutput
        let files = listed.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let manifests = files.filter { lastPathComponent($0) == Self.manifest }
        guard !manifests.contains(prefix + Self.manifest) else { return [] }
        var moved = try renamed(since: tag)
        if !moved.contains(where: manifests.contains) { moved += try alike(manifests, at: tag) }
        guard moved.contains(where: manifests.contains) else { return [] }
        return moved.flatMap { manifest in
            let directory = manifest.dropLast(Self.manifest.count + 1)
            guard directory.isEmpty else { return [":(top,literal)\(directory)"] }
            // Other packages are below the root, too.
            let others = manifests.map { $0.dropLast(Self.manifest.count) }.filter { !$0.isEmpty }
            let own = files.filter { file in !others.contains(where: file.hasPrefix) }
            return Set(own.map { $0[...].before("/") }).sorted().map { ":(top,literal)\($0)" }
        }
    }

    /// Returns the former paths of the manifest according to git.
    private func renamed(since tag: String) throws(OperationFailure) -> [String] {
        let log = [
            "log", "--no-show-signature", "--follow", "--find-renames", "--diff-filter=R", "--name-status", "-z",
            "--format=",
        ]
        let output = try git.run(log + ["refs/tags/\(tag)..HEAD", "--", Self.manifest]).standardOutput
        // A record is the status, the old path and the new path.
        let fields = output.split(whereSeparator: { $0 == 0 || $0 == UInt8(ascii: "\n") })
            .map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 1, to: fields.count - 1, by: 3).map { fields[$0] }
            .filter { lastPathComponent($0) == Self.manifest }
    }

    /// Returns the manifest of a package with the same name that is not in HEAD, if there is exactly one. Git sees no
    /// rename if the manifest was written anew.
    private func alike(_ manifests: [String], at tag: String) throws(OperationFailure) -> [String] {
        guard let name = try self.name(of: prefix + Self.manifest, at: "HEAD") else { return [] }
        var alike: [String] = []
        for manifest in manifests {
            guard try self.name(of: manifest, at: "refs/tags/\(tag)") == name,
                try !git.attempt(["cat-file", "-e", "HEAD:\(manifest)"]).report.succeeded
            else { continue }
            alike.append(manifest)
        }
        return alike.count == 1 ? alike : []
    }

    private func name(of manifest: String, at revision: String) throws(OperationFailure) -> String? {
        let file = try git.attempt(["cat-file", "blob", "\(revision):\(manifest)"])
        return file.report.succeeded ? ManifestName.find(in: file.text) : nil
    }
}
