package import OperatingSystem
import Text

/// The configuration of git for a release: identity and signatures, and the remote of a push.
package struct ReleaseSettings: Sendable, Equatable {
    /// The last value of each setting. Names are in lowercase, except for the names of branches.
    private var values: [String: String] = [:]

    /// Reads the configuration that applies in the directory of `git`.
    package static func read(_ git: Git) throws(OperationFailure) -> ReleaseSettings {
        let names =
            #"^((\#(sections.joined(separator: "|")))\..*|branch\..*\.(push)?remote|remote\.pushdefault|remote\..*\.url)$"#
        return ReleaseSettings(try git.attempt(["config", "-z", "--get-regexp", names]).standardOutput)
    }

    /// Parses the output of `git config -z`.
    package init(_ output: [UInt8]) {
        for record in output.split(separator: 0) {
            let parts = record.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            let fields = parts.map { String(decoding: $0, as: UTF8.self) }
            // A name without `=` is true.
            values[fields[0]] = fields.count > 1 ? fields[1] : "true"
        }
    }

    /// The sections of the settings that determine identity and signatures.
    private static let sections = ["user", "author", "committer", "commit", "tag", "gpg"]

    /// The settings that determine identity and signatures.
    var ofCommits: [String: String] {
        values.filter { name, _ in Self.sections.contains { name.hasPrefix("\($0).") } }
    }

    /// The last value of a setting with a name in lowercase.
    subscript(name: String) -> String? { values[name] }

    /// The first setting that requires signed tags, or `nil` if none does.
    package var signature: String? { ["tag.gpgSign", "tag.forceSignAnnotated"].first(where: isTrue) }

    /// The setting that requires signed commits, or `nil` if it does not.
    var commitSignature: String? { ["commit.gpgSign"].first(where: isTrue) }

    private func isTrue(_ name: String) -> Bool {
        guard let value = values[name.lowercased()]?.lowercased() else { return false }
        return ["true", "yes", "on"].contains(value) || (Int(value) ?? 0) != 0
    }

    /// Returns the remote to which a branch is pushed, or `nil` if there is none. Unless the configuration names a remote
    /// for pushes, it is `origin`, as for `publish`.
    ///
    /// - Parameter branch: The name without `refs/heads/`.
    package func remote(of branch: String?) -> String? {
        let names = remoteNames
        let own = branch.map { ["branch.\($0).pushremote", "remote.pushdefault"] } ?? ["remote.pushdefault"]
        let tracked = branch.map { ["branch.\($0).remote"] } ?? []
        func named(_ settings: [String]) -> String? {
            settings.compactMap { values[$0] }.first { !$0.isEmpty && $0 != "." }
        }
        return named(own) ?? (names.contains("origin") ? "origin" : nil) ?? named(tracked)
            ?? (names.count == 1 ? names[0] : nil)
    }

    /// The remotes and addresses that settings of branches and pushes name.
    package var remotes: [String] {
        let named = values.filter { $0.key.hasSuffix("remote") || $0.key == "remote.pushdefault" }.map(\.value)
        return named.filter { !$0.isEmpty && $0 != "." }
    }

    /// The names of the remotes that have an address.
    private var remoteNames: [String] {
        values.compactMap { name, value in
            guard name.hasPrefix("remote."), name.hasSuffix(".url"), !value.isEmpty else { return nil }
            return String(name.dropFirst("remote.".count).dropLast(".url".count))
        }
    }
}

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
