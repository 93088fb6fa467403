package import OperatingSystem
import Text

/// A commit with the data for release notes.
package struct GitCommit: Sendable, Equatable {
    /// The hash of the commit.
    package let hash: String
    /// The hashes of the parents. A merge has several.
    package let parents: [String]
    /// The first line of the message.
    package let subject: String
    /// The message after the subject.
    package let body: String

    /// A Boolean value that indicates whether the commit has several parents.
    package var isMerge: Bool { parents.count > 1 }

    package init(hash: String, parents: [String] = [], subject: String, body: String = "") {
        self.hash = hash
        self.parents = parents
        self.subject = subject
        self.body = body
    }
}

extension Git {
    /// Returns the hash of HEAD.
    package func head() throws(OperationFailure) -> String {
        let told = try attempt(["rev-parse", "--verify", "HEAD^{commit}"])
        if told.report.stoppedBy != nil { throw OperationFailure(of: "git rev-parse", told) }
        guard told.report.succeeded, let head = told.text.lines.first else {
            throw .refused(["there is no commit yet\nhint: git commit"])
        }
        return head
    }

    /// Returns the commits that are reachable from HEAD but not from `since`, newest first. With `onlyHere`, returns
    /// only commits that change this directory.
    package func commits(since tag: String?, onlyHere: Bool = false) throws(OperationFailure) -> [GitCommit] {
        let range = tag.map { "refs/tags/\($0)..HEAD" } ?? "HEAD"
        // The arguments separate revisions and paths, because a file may have the name of a revision.
        let output = try run(
            ["log", "-z", "--no-show-signature", "--encoding=UTF-8", "--format=%H%x1f%P%x1f%s%x1f%b", range, "--"]
                + (onlyHere ? ["."] : [])
        ).standardOutput
        return output.split(separator: 0).compactMap { record in
            let fields = record.split(separator: 0x1F, maxSplits: 3, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 4 else { return nil }
            return GitCommit(
                hash: fields[0], parents: fields[1].split(separator: " ").map(String.init), subject: fields[2],
                body: fields[3])
        }
    }

    /// Returns the time of HEAD in seconds since 1970, or `nil` outside a repository and before the first commit.
    package func commitTime() throws(OperationFailure) -> Int64? {
        let run = try attempt(["log", "-1", "--no-show-signature", "--format=%ct"])
        return run.report.succeeded ? Int64(run.text.split(separator: "\n").first ?? "") : nil
    }
}
