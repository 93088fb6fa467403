import Actions
import Archives
import Git
import LaneModel
import OperatingSystem
import Text

/// A signer of checksum files with the key that signs tags.
struct ReleaseSigner {
    private let git: Git
    private let context: StepContext
    private let kind: ChecksumSignature
    private let program: String
    private let key: String

    /// Returns the signer, or `nil` if git's configuration does not sign tags.
    static func find(_ context: StepContext) throws(OperationFailure) -> ReleaseSigner? {
        // The private worktree of a release has another configuration than the checkout.
        let git = Git(context, in: context.root)
        guard try ReleaseSettings.read(git).signature != nil else { return nil }
        return try ReleaseSigner(git, context)
    }

    private init(_ git: Git, _ context: StepContext) throws(OperationFailure) {
        (self.git, self.context) = (git, context)
        let format = try git.setting("gpg.format") ?? "openpgp"
        kind = format == "ssh" ? .ssh : .gpg
        program = try SignatureProgram.find(format, git)
        var key = try git.setting("user.signingKey", isPath: format == "ssh")
        if key == nil, format == "ssh", let command = try git.setting("gpg.ssh.defaultKeyCommand") {
            key = try git.shell(command).text.lines.first { $0.hasPrefix("key::") || $0.hasPrefix("ssh-") }
        }
        if key == nil, format != "ssh" {
            // As git does: the name and the address of the committer select the key.
            key = try git.text(["var", "GIT_COMMITTER_IDENT"])[...].before(">") + ">"
        }
        guard let key else {
            throw .refused(["git signs tags, but no key is configured\nhint: git config user.signingKey"])
        }
        self.key = key
    }

    /// Signs a file, and writes the signature beside it.
    func sign(_ path: String) throws(OperationFailure) -> WrittenFile {
        let bytes = try convertingFileErrors(of: readFile(path))
        let run = try run(on: bytes)
        guard run.report.stoppedBy == nil else { throw OperationFailure(of: program, run) }
        let signature = run.standardOutput
        guard run.report.succeeded, signature.starts(with: "-----BEGIN ".utf8) else {
            let reason = run.errorText.lines.last { !$0.hasPrefix("[GNUPG:]") } ?? "status \(run.report.status)"
            throw OperationFailure(
                "'\(lastPathComponent(path))' could not be signed: \(reason)\nhint: git config user.signingKey")
        }
        return try convertingArchiveErrors(of: HashedOutputFile.write(signature, to: path + kind.suffix))
    }

    private func run(on bytes: [UInt8]) throws(OperationFailure) -> CapturedRun {
        guard kind == .ssh else { return try call(["--status-fd=2", "-bsau", key], bytes) }
        let options = ["-Y", "sign", "-n", ChecksumSignature.namespace, "-f"]
        let literal = key.hasPrefix("key::") ? String(key.dropFirst(5)) : key.hasPrefix("ssh-") ? key : nil
        guard let literal else { return try call(options + [absolutePath(key, from: git.directory)], bytes) }
        let directory = try context.makeScratchDirectory("signature")
        defer { try? removeTree(directory) }
        try convertingFileErrors(of: writeFile(literal + "\n", to: "\(directory)/key"))
        return try call(options + ["\(directory)/key"], bytes)
    }

    private func call(_ arguments: [String], _ bytes: [UInt8]) throws(OperationFailure) -> CapturedRun {
        let command = Command(
            program, arguments, environment: context.environment, directory: git.directory, input: .bytes(bytes))
        return try convertingSpawnErrors(
            neededFor: "it signs the checksums of a release like its tag", of: context.processes.capture(command))
    }
}

/// The program that creates and verifies signatures of a format.
enum SignatureProgram {
    static func find(_ format: String, _ git: Git?) throws(OperationFailure) -> String {
        let names = format == "openpgp" ? ["gpg.openpgp.program", "gpg.program"] : ["gpg.\(format).program"]
        for name in names {
            if let program = try git?.setting(name, isPath: true) { return program }
        }
        return ["ssh": "ssh-keygen", "x509": "gpgsm"][format] ?? "gpg"
    }
}

extension Git {
    /// Returns the value of a setting, or `nil` if it is not set or empty.
    ///
    /// - Parameter isPath: A Boolean value that indicates whether `~` is expanded.
    func setting(_ name: String, isPath: Bool = false) throws(OperationFailure) -> String? {
        let run = try attempt(["config"] + (isPath ? ["--type=path"] : []) + ["--get", name])
        let value = run.text.lines.first
        return run.report.succeeded && value?.isEmpty == false ? value : nil
    }
}
