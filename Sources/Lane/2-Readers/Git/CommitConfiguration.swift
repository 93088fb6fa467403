package import OperatingSystem
import Text

/// The settings of git that determine the author, the committer and the signatures of a release.
///
/// The private worktree of a release has a git directory of its own and no branch. There, the conditions `gitdir` and
/// `onbranch` of `includeIf` have other results, and the configuration of the checkout's worktree does not apply.
package struct CommitConfiguration: Sendable {
    private static let countVariable = "GIT_CONFIG_COUNT"

    private let values: [String: String]
    /// The settings that differ in the private worktree.
    private let differences: [String: String]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - settings: The settings of the checkout.
    ///   - checkout: Git in the user's checkout.
    ///   - worktree: Git in the private worktree.
    package static func read(
        _ settings: ReleaseSettings, of checkout: Git, for worktree: Git
    ) throws(OperationFailure) -> CommitConfiguration {
        var values = settings.ofCommits
        try makeAbsolute(&values, checkout)
        // A setting that applies only in the private worktree must have no effect.
        let others = try ReleaseSettings.read(worktree).ofCommits
        for name in others.keys where values[name] == nil { values[name] = "" }
        return CommitConfiguration(values: values, differences: values.filter { others[$0] != $1 })
    }

    /// Returns git with these settings.
    package func applied(to git: Git) -> Git {
        git.with(Self.variables(values, beside: git[variable: Self.countVariable]))
    }

    /// Returns the environment variables for the settings that differ in the private worktree.
    ///
    /// - Parameter environment: The environment, which may contain other settings.
    package func variables(in environment: [String: String]) -> [String: String] {
        differences.isEmpty ? [:] : Self.variables(differences, beside: environment[Self.countVariable])
    }

    private static func variables(_ values: [String: String], beside count: String?) -> [String: String] {
        var variables: [String: String] = [:]
        var number = count.flatMap { Int($0) } ?? 0
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            variables["GIT_CONFIG_KEY_\(number)"] = name
            variables["GIT_CONFIG_VALUE_\(number)"] = value
            number += 1
        }
        variables[countVariable] = String(number)
        return variables
    }

    /// Replaces paths that are relative to the checkout. A key that is not in git exists only there.
    private static func makeAbsolute(_ values: inout [String: String], _ checkout: Git) throws(OperationFailure) {
        let isKeyFile = values["gpg.format"] == "ssh"
        let relative = values.filter { name, value in
            guard !value.hasPrefix("/"), !value.hasPrefix("~") else { return false }
            return name == "user.signingkey" ? isKeyFile : name.hasSuffix(".program") && value.contains("/")
        }
        guard !relative.isEmpty else { return }
        let topLevel = try checkout.text(["rev-parse", "--show-toplevel"])
        for (name, value) in relative where fileExists("\(topLevel)/\(value)") {
            values[name] = "\(topLevel)/\(value)"
        }
    }
}
