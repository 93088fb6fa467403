package import LaneRun

import Processes

/// A checkout's state, from one call of git.
package struct GitStatus: Sendable, Equatable {
    /// `nil` before the first commit.
    package private(set) var commit: String?
    /// `nil` when HEAD is detached.
    package private(set) var branch: String?
    package private(set) var upstream: String?
    /// Commits that the upstream does not have, and that it has and we do not, as last fetched.
    package private(set) var ahead = 0
    package private(set) var behind = 0
    /// Paths that are changed, staged, in conflict or new, relative to the top folder.
    package private(set) var changes: [String] = []

    package static func read(_ git: Git) throws(StepFailure) -> GitStatus {
        GitStatus(
            porcelain: try git.run(["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"])
                .standardOutput)
    }

    /// Reads what `git status --porcelain=v2 --branch -z` prints.
    package init(porcelain bytes: [UInt8]) {
        var fields = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }[...]
        while let field = fields.popFirst() {
            switch field.first {
            case "#": readHeader(field.split(separator: " ").map(String.init))
            case "1": changes.append(path(field, after: 8))
            case "u": changes.append(path(field, after: 10))
            case "?": changes.append(path(field, after: 1))
            case "2":
                changes.append(path(field, after: 9))
                // The path that it was renamed from is a field of its own.
                _ = fields.popFirst()
            default: break
            }
        }
    }

    private mutating func readHeader(_ words: [String]) {
        guard words.count >= 3 else { return }
        switch words[1] {
        case "branch.oid": commit = words[2] == "(initial)" ? nil : words[2]
        case "branch.head": branch = words[2] == "(detached)" ? nil : words[2]
        case "branch.upstream": upstream = words[2]
        case "branch.ab" where words.count >= 4:
            ahead = Int(words[2].dropFirst()) ?? 0
            behind = Int(words[3].dropFirst()) ?? 0
        default: break
        }
    }

    private func path(_ field: String, after spaces: Int) -> String {
        let parts = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: spaces, omittingEmptySubsequences: false)
        return parts.last.map { String(Substring($0)) } ?? field
    }
}
