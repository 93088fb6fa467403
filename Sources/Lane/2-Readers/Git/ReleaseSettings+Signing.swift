package import OperatingSystem
import Text

/// The check of the key with which git signs commits and tags (`man git-config`, `gpg.format`).
extension ReleaseSettings {
    /// Returns the reason why git cannot sign, with a hint, or `nil` if the key is present or no signature is required.
    ///
    /// Nothing is signed for this check, because that may need a passphrase.
    package func signingProblem(_ git: Git) throws(OperationFailure) -> String? {
        guard let setting = signature ?? commitSignature else { return nil }
        let key = self["user.signingkey"] ?? ""
        let reason: String?
        switch self["gpg.format"] ?? "openpgp" {
        case "ssh": reason = try sshProblem(key, git)
        case "openpgp": reason = try gpgProblem(key, git)
        default: reason = nil
        }
        return reason.map { "git's setting '\(setting)' requires a signature, but \($0)" }
    }

    private func sshProblem(_ key: String, _ git: Git) throws(OperationFailure) -> String? {
        if key.hasPrefix("key::") || key.hasPrefix("ssh-") || key.hasPrefix("ecdsa-") || key.hasPrefix("sk-") {
            return nil
        }
        guard !key.isEmpty else {
            return self["gpg.ssh.defaultkeycommand"] == nil
                ? "'user.signingKey' names no key\nhint: git config user.signingKey ~/.ssh/id_ed25519.pub" : nil
        }
        let file = try git.text(["config", "--type=path", "--get", "user.signingKey"])
        guard !fileExists(absolutePath(file, from: git.directory)) else { return nil }
        return "the key '\(file)' does not exist\nhint: git config user.signingKey ~/.ssh/id_ed25519.pub"
    }

    private func gpgProblem(_ key: String, _ git: Git) throws(OperationFailure) -> String? {
        let program = self["gpg.openpgp.program"] ?? self["gpg.program"] ?? "gpg"
        var owner = key
        if key.isEmpty {
            // The identity without its time.
            let identity = try git.attempt(["var", "GIT_COMMITTER_IDENT"])
            guard identity.report.succeeded, let end = identity.text.lastIndex(of: ">") else { return nil }
            owner = String(identity.text[...end])
        }
        do {
            let run = try git.capture(
                program, ["--batch", "--list-secret-keys", "--", owner], purpose: "\(program) is needed for signatures")
            guard !run.report.succeeded else { return nil }
        } catch {
            return error.message
        }
        return "\(program) has no secret key for '\(owner)'\nhint: git config user.signingKey KEY"
    }
}

/// Functions for tag signatures that the user's configuration requires.
package enum TagSignature {
    /// Creates an annotated tag, which is signed if the user's configuration requires it.
    ///
    /// - Parameters:
    ///   - git: Git with the configuration of the user's checkout.
    ///   - signature: The setting that requires a signature, or `nil` if none does.
    package static func makeTag(
        _ name: String, _ message: String, on commit: String = "HEAD", _ git: Git, signature: String?,
        settings: [String: String] = [:]
    ) throws(OperationFailure) {
        // With `--annotate`, git ignores `tag.forceSignAnnotated`.
        let option = signature == nil ? "--annotate" : "--sign"
        let run = try git.attempt(
            ["tag", option, "--cleanup=verbatim", "--file=-", "--", name, commit], input: Array(message.utf8),
            settings: git.releaseDates.merging(settings) { $1 })
        guard run.report.succeeded else { throw git.failure(of: "git tag", run, making: "tag '\(name)'") }
    }

    /// Throws if a tag must be signed but is not.
    ///
    /// - Parameter setting: The setting that requires a signature, or `nil` if none does.
    package static func check(
        _ object: String, named name: String, requiredBy setting: String?, _ git: Git
    ) throws(OperationFailure) {
        guard let setting else { return }
        let tag = try git.attempt(["cat-file", "tag", object])
        let marks = ["PGP SIGNATURE", "PGP MESSAGE", "SSH SIGNATURE", "SIGNED MESSAGE"].map { "-----BEGIN \($0)-----" }
        guard tag.report.succeeded, tag.text.lines.contains(where: marks.contains) else {
            throw .refused([
                "the tag '\(name)' is not signed, but git's setting '\(setting)' requires it\n"
                    + "hint: git tag --sign --force \(name) \(name)^{}"
            ])
        }
    }
}
