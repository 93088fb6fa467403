package import OperatingSystem
import Text

/// The key with which git signs commits and tags, if the user's configuration requires signatures (`man git-config`,
/// `gpg.format`).
package struct SigningKey {
    private let git: Git
    private let settings: ReleaseSettings

    package init(_ settings: ReleaseSettings, _ git: Git) {
        self.git = git
        self.settings = settings
    }

    /// Returns the reason why git cannot sign, with a hint, or `nil` if the key is present or no signature is required.
    ///
    /// Nothing is signed for this check, because that may need a passphrase.
    package func problem() throws(OperationFailure) -> String? {
        guard let setting = settings.signature ?? settings.commitSignature else { return nil }
        let key = settings["user.signingkey"] ?? ""
        let reason: String?
        switch settings["gpg.format"] ?? "openpgp" {
        case "ssh": reason = try sshProblem(key)
        case "openpgp": reason = try gpgProblem(key)
        default: reason = nil
        }
        return reason.map { "git's setting '\(setting)' requires a signature, but \($0)" }
    }

    private func sshProblem(_ key: String) throws(OperationFailure) -> String? {
        if key.hasPrefix("key::") || key.hasPrefix("ssh-") || key.hasPrefix("ecdsa-") || key.hasPrefix("sk-") {
            return nil
        }
        guard !key.isEmpty else {
            return settings["gpg.ssh.defaultkeycommand"] == nil
                ? "'user.signingKey' names no key\nhint: git config user.signingKey ~/.ssh/id_ed25519.pub" : nil
        }
        let file = try git.text(["config", "--type=path", "--get", "user.signingKey"])
        guard !fileExists(absolutePath(file, from: git.directory)) else { return nil }
        return "the key '\(file)' does not exist\nhint: git config user.signingKey ~/.ssh/id_ed25519.pub"
    }

    private func gpgProblem(_ key: String) throws(OperationFailure) -> String? {
        let program = settings["gpg.openpgp.program"] ?? settings["gpg.program"] ?? "gpg"
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
