package import OperatingSystem

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
            guard try submodule.attempt(["cat-file", "-e", "\(inner)^{commit}"]).report.succeeded else {
                throw .refused([
                    "the submodule '\(parts[1])' does not contain the commit \(inner.prefix(12))\n"
                        + "hint: git submodule foreach --recursive git fetch"
                ])
            }
            try submodule.cloneTree(of: inner, to: "\(clone)/\(parts[1])")
        }
    }
}
