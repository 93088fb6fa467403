package import OperatingSystem

extension Git {
    /// Checks out a commit of the repository in a clone that shares its objects.
    ///
    /// - Returns: The directory of the package in the clone.
    @discardableResult
    package func checkOut(_ commit: String, to clone: String) throws(OperationFailure) -> String {
        let prefix = try text(["rev-parse", "--show-prefix"])
        let top = try text(["rev-parse", "--show-toplevel"])
        try run(["clone", "--quiet", "--shared", "--no-checkout", "--", top, clone])
        // The hooks of the user are not meant for this clone.
        try inside(clone).run(["-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "--detach", commit])
        return prefix.isEmpty ? clone : "\(clone)/\(prefix.dropLast())"
    }
}
