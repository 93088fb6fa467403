package import OperatingSystem
import Text

/// The state of a checkout.
package struct GitStatus: Sendable, Equatable {
    /// The branch, or `nil` if HEAD is detached.
    package private(set) var branch: String?
    /// The hash of HEAD, or `nil` before the first commit.
    package private(set) var head: String?
    /// The paths that are changed, staged, conflicted or untracked, relative to the root. Build products are omitted
    /// even if git does not ignore them.
    package private(set) var changes: [String] = []

    /// Reads the state with `git status`.
    package static func read(_ git: Git, untracked: Bool = true) throws(OperationFailure) -> GitStatus {
        let files = "--untracked-files=\(untracked ? "normal" : "no")"
        var status = GitStatus(
            porcelain: try git.run(["status", "--porcelain=v2", "--branch", "-z", files]).standardOutput)
        try status.omitPackages(git)
        return status
    }

    /// Omits untracked directories with the files of an earlier `package` step, such as `dist/` after the first release,
    /// and with those of several machines.
    private mutating func omitPackages(_ git: Git) throws(OperationFailure) {
        guard changes.contains(where: { $0.hasSuffix("/") }) else { return }
        let root = try git.text(["rev-parse", "--show-toplevel"])
        changes.removeAll { path in
            path.hasSuffix("/") && (Self.hasPackages(root + "/" + path) || Self.hasParts(root + "/" + path))
        }
    }

    /// Returns a Boolean value that indicates whether a directory contains a manifest of packaged files. Other programs use
    /// the same extension, so its contents decide.
    private static func hasPackages(_ directory: String) -> Bool {
        ((try? listDirectory(directory)) ?? []).filter { $0.hasSuffix(".manifest.json") }.contains { name in
            guard let bytes = try? readFile("\(directory)/\(name)"), let node = try? JSONParser.parse(bytes)
            else { return false }
            return node["commit"]?.string != nil && node["files"]?.array?.first?["sha256"]?.string != nil
        }
    }

    /// Returns a Boolean value that indicates whether a directory contains only directories of packaged files, and
    /// checksum files.
    private static func hasParts(_ directory: String) -> Bool {
        let names = (try? listDirectory(directory)) ?? []
        let parts = names.filter { isDirectory("\(directory)/\($0)") }
        let sums = names.filter { $0.contains(".sha256") }
        return !parts.isEmpty && !sums.isEmpty && parts.count + sums.count == names.count
            && parts.allSatisfy { hasPackages("\(directory)/\($0)") }
    }

    /// Parses the output of `git status --porcelain=v2 --branch -z`.
    package init(porcelain bytes: [UInt8]) {
        var fields = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }[...]
        while let field = fields.popFirst() {
            switch field.first {
            case "#": readHeader(field.split(separator: " "))
            case "1": changes.append(path(field, after: 8))
            case "u": changes.append(path(field, after: 10))
            case "?":
                let new = path(field, after: 1)
                if new.pathComponents.last != ".build" { changes.append(new) }
            case "2":
                changes.append(path(field, after: 9))
                // The original path of a rename is a separate field.
                _ = fields.popFirst()
            default: break
            }
        }
    }

    private mutating func readHeader(_ words: [Substring]) {
        guard words.count >= 3 else { return }
        switch words[1] {
        case "branch.oid": head = words[2] == "(initial)" ? nil : String(words[2])
        case "branch.head": branch = words[2] == "(detached)" ? nil : String(words[2])
        default: break
        }
    }

    private func path(_ field: String, after spaces: Int) -> String {
        let parts = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: spaces, omittingEmptySubsequences: false)
        return parts.last.map { String(Substring($0)) } ?? field
    }
}

/// The differences between the checkout and its last commit, including changes that the configuration hides.
package enum CheckoutChanges {
    /// Compares all files with the commit. Uses a private index, in which no file is marked `assume-unchanged` or
    /// `skip-worktree`.
    ///
    /// - Parameters:
    ///   - made: The paths to ignore, relative to the directory of `git`.
    ///   - directory: The directory for the index.
    package static func read(_ git: Git, except made: [String], in directory: String) throws(OperationFailure)
        -> [String]
    {
        let index = ["GIT_INDEX_FILE": "\(directory)/index"]
        let plain = [
            "core.ignoreStat=false", "core.sparseCheckout=false", "index.sparse=false", "core.fsmonitor=false",
            "core.untrackedCache=false",
        ].flatMap { ["-c", $0] }
        try git.run(plain + ["read-tree", "HEAD"], settings: index)
        let excluded = [".build", ".lane"] + made
        let status = try git.run(
            plain + [
                "status", "--porcelain=v2", "-z", "--untracked-files=normal", "--ignore-submodules=none", "--", ":/",
            ] + excluded.map { ":(exclude,literal)\($0)" }, settings: index)
        return GitStatus(porcelain: status.standardOutput).changes
    }
}
