package import Git
import OperatingSystem
import Text

/// A package and the names that its tags may contain.
package struct TaggedPackage: Sendable {
    /// The environment variable for the prefix of the package's tags.
    static let prefixVariable = "LANE_TAG_PREFIX"

    /// The configured prefix of the package's tags, if any.
    var prefix: String?
    /// The name in the manifest and the directory, in lowercase.
    var names: Set<String> = []
    /// The path relative to the repository's root, or an empty string for the root.
    var subdirectory = ""
    /// The directories of the repository's other packages, for a package in a subdirectory.
    var others: [String] = []
    /// The directories that may contain other packages.
    var directories: [String] = []

    /// Reads the names of the package in `root`.
    package static func find(_ git: Git, root: String, in repository: Repository) -> TaggedPackage {
        var names: Set<String> = []
        if let name = (try? readText("\(root)/Package.swift")).flatMap(ManifestName.find) {
            names.insert(name.lowercased())
        }
        // The directory of a checkout can have any name.
        let subdirectory = String(repository.prefix.dropLast())
        if !subdirectory.isEmpty {
            names.formUnion([lastPathComponent(subdirectory).lowercased(), subdirectory.lowercased()])
        }
        return TaggedPackage(
            prefix: git[variable: prefixVariable], names: names, subdirectory: subdirectory,
            others: subdirectory.isEmpty ? [] : packages(git).filter { !"\($0)/".hasPrefix("\(subdirectory)/") },
            directories: subdirectory.isEmpty ? [root] : [repository.topLevel, parentDirectory(root), root])
    }

    /// Returns the directories of all packages in git, relative to the repository's root.
    private static func packages(_ git: Git) -> [String] {
        let paths = try? git.text(["ls-files", "-z", "--full-name", "--", ":(top,glob)**/Package.swift"])
        return (paths ?? "").utf8.split(separator: 0).map { path in
            let path = String(Substring(path))
            return path.contains("/") ? parentDirectory(path) : ""
        }
    }

    /// A Boolean value that indicates whether the repository's root is another package, to which tags without a name
    /// belong.
    var isBelowAnother: Bool { others.contains("") }

    /// The prefix of the first tag: empty for the only package of a repository, otherwise the package's name or
    /// directory.
    var firstPrefix: String {
        guard !others.isEmpty else { return "" }
        let name = lastPathComponent(subdirectory)
        let isUnique = !others.contains { lastPathComponent($0).lowercased() == name.lowercased() }
        return isUnique ? "\(name)-" : "\(subdirectory)-"
    }

    /// Returns a Boolean value that indicates whether tags with `name` belong to another directory. For a package at
    /// the root, only directories with a package count: `release-1.2.3` may be its tag even if a directory of scripts
    /// has that name.
    func belongsToOtherDirectory(_ name: String) -> Bool {
        directories.contains { directory in
            let alike = ((try? listDirectory(directory)) ?? []).filter { $0.lowercased() == name.lowercased() }
            return ([name] + alike).contains {
                subdirectory.isEmpty
                    ? fileExists("\(directory)/\($0)/Package.swift") : isDirectory("\(directory)/\($0)")
            }
        }
    }
}

/// The name of a package in its manifest.
package enum ManifestName {
    /// Returns the name in `Package(name: "…"`, or `nil` if it is computed.
    package static func find(in manifest: String) -> String? {
        guard let mark = manifest.range(of: "Package("),
            let name = manifest.range(of: "name: \"", after: mark.upperBound)
        else { return nil }
        let text = String(manifest[name.upperBound...].prefix { $0 != "\"" })
        return text.isEmpty || text.contains("/") || text.contains("\\") || text.hasPrefix(".") ? nil : text
    }
}

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
