package import OperatingSystem

extension Git {
    /// Returns the name of the default branch, or `nil` if it is unknown. Doesn't connect to the remote.
    ///
    /// It is the default branch of the remote when it was cloned. If git has not recorded this, it is the first of
    /// `init.defaultBranch`, `main`, `master` and `trunk` that exists here or in the remote, or else the only branch.
    package func defaultBranch(of remote: String?) -> String? {
        let remotePrefix = remote.map { "refs/remotes/\($0)/" }
        if let remotePrefix, let head = lines(["symbolic-ref", "--quiet", "\(remotePrefix)HEAD"]).first,
            head.hasPrefix(remotePrefix)
        {
            return String(head.dropFirst(remotePrefix.count))
        }
        let branches = branches(of: remote)
        let usual = lines(["config", "--get", "init.defaultBranch"]) + ["main", "master", "trunk"]
        return usual.first(where: branches.contains) ?? (branches.count == 1 ? branches.first : nil)
    }

    /// Returns the names of the branches that are here or in the remote. Doesn't connect to the remote.
    package func branches(of remote: String?) -> Set<String> {
        let prefixes = ["refs/heads/"] + [remote.map { "refs/remotes/\($0)/" }].compactMap(\.self)
        return Set(
            lines(["for-each-ref", "--format=%(refname)"] + prefixes).compactMap { name in
                prefixes.first(where: name.hasPrefix).map { String(name.dropFirst($0.count)) }
            })
    }

    /// Returns the lines of git's output, or no lines if git fails.
    private func lines(_ arguments: [String]) -> [String] {
        guard let run = try? attempt(arguments), run.report.succeeded else { return [] }
        return run.text.split(separator: "\n").map(String.init)
    }

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

extension Git {
    /// Checks out a commit of the repository and of its submodules in clones that share their objects.
    ///
    /// - Returns: The directory of the package in the clone.
    @discardableResult
    package func checkOut(_ commit: String, to clone: String) throws(OperationFailure) -> String {
        let prefix = try text(["rev-parse", "--show-prefix"])
        try inside(try text(["rev-parse", "--show-toplevel"])).cloneTree(of: commit, to: clone)
        return prefix.isEmpty ? clone : "\(clone)/\(prefix.dropLast())"
    }

    private func cloneTree(of commit: String, to clone: String) throws(OperationFailure) {
        try run(["clone", "--quiet", "--shared", "--no-checkout", "--", directory, clone])
        // The hooks of the user are not meant for this clone.
        try inside(clone).run(["-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "--detach", commit])
        // The objects of submodules come from the checkouts here: a clone from their addresses would need the network.
        for record in try run(["ls-tree", "-r", "-z", commit]).standardOutput.split(separator: 0) {
            let parts = String(decoding: record, as: UTF8.self).split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("160000 "), let submodule = submodule(at: String(parts[1]))
            else {
                continue
            }
            let inner = String(parts[0].split(separator: " ")[2])
            guard try submodule.contains(commit: inner) else {
                throw .refused([
                    "the submodule '\(parts[1])' does not contain the commit \(inner.prefix(12))\n"
                        + "hint: git submodule foreach --recursive git fetch"
                ])
            }
            try submodule.cloneTree(of: inner, to: "\(clone)/\(parts[1])")
        }
    }
}
