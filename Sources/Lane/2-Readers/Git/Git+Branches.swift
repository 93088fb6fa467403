package import OperatingSystem

extension Git {
    /// Returns a Boolean value that indicates whether `git switch` knows a branch: a local one, or one of a remote.
    package func knows(branch: String) throws(OperationFailure) -> Bool {
        try !run(["for-each-ref", "--count=1", "refs/heads/\(branch)", "refs/remotes/*/\(branch)"]).text.isEmpty
    }

    /// Returns the command that leaves a detached HEAD, for a hint. A branch that ends at the commit of HEAD precedes one
    /// that contains the commit.
    package func switchToBranchAtHead() throws(OperationFailure) -> String {
        for filter in ["--points-at", "--contains"] {
            let found = try run([
                "for-each-ref", "--count=1", "--format=%(refname:short)", filter, "HEAD", "refs/heads",
            ])
            if let branch = found.text.split(separator: "\n").first { return "git switch \(branch)" }
        }
        return "git switch -c NAME"
    }
}
