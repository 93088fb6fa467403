import Actions
package import Git
package import OperatingSystem
import Text

/// A check of signatures beside checksum files.
package struct SignatureCheck: Sendable {
    enum Result {
        /// The signature is valid, and its key is trusted.
        case trusted(by: String)
        /// A signature by a key of another kind than the trusted ones.
        case ignored
        /// The reason why the signature is not valid, or why its key is not trusted.
        case invalid(String)
    }

    /// The keys that count.
    package enum Trust: Sendable, Equatable {
        /// The SSH keys in a file of allowed signers. A release must be signed.
        case allowedSigners(String)
        /// The keys of git's configuration: `gpg.ssh.allowedSignersFile`, and the keyring of GnuPG.
        case configured
        /// All keys. Only the contents are checked, for files that this program has just signed.
        case any
    }

    private let trust: Trust
    private let git: Git?
    private let environment: [String: String]
    private let processes: any ProcessRunner

    /// - Parameter git: Git in the working directory, whose configuration applies, or `nil` if it is not installed.
    package init(_ trust: Trust, git: Git?, environment: [String: String], processes: any ProcessRunner) {
        (self.trust, self.git, self.environment, self.processes) = (trust, git, environment, processes)
    }

    /// Creates a check of files that a step has signed.
    init(_ context: StepContext) {
        self.init(
            .any, git: Git(context, in: context.root), environment: context.environment, processes: context.processes)
    }

    /// A Boolean value that indicates whether a release must be signed.
    var isRequired: Bool { if case .allowedSigners = trust { true } else { false } }

    func check(
        _ path: String, _ kind: ChecksumSignature, in directory: String
    ) throws(OperationFailure) -> Result {
        switch kind {
        case .ssh: return try checkSSH(path, in: directory)
        case .gpg: return isRequired ? .ignored : try checkGPG(path, in: directory)
        }
    }

    // MARK: SSH

    private func checkSSH(_ path: String, in directory: String) throws(OperationFailure) -> Result {
        let signature = path + ChecksumSignature.ssh.suffix
        let bytes = try convertingFileErrors(of: readFile("\(directory)/\(path)"))
        let options = ["-n", ChecksumSignature.namespace, "-s", signature]
        let plain = try ssh(["-Y", "check-novalidate"] + options, bytes, in: directory)
        guard plain.report.succeeded else {
            if plain.errorText.contains("incorrect signature") {
                return .invalid("'\(path)' was changed after it was signed: '\(signature)' does not match")
            }
            return .invalid(
                "'\(signature)' is no SSH signature of a file: \(plain.errorText.lines.first ?? "status \(plain.report.status)")"
            )
        }
        let key = plain.text.lines.first.map(Self.key) ?? "an unknown key"
        if trust == .any { return .trusted(by: key) }
        let hint = "\nhint: list the keys that you trust in a file, and pass it with '--allowed-signers'"
        guard let keys = try allowedSigners() else {
            return .invalid("'\(path)' is signed by the unknown key \(key)\(hint)")
        }
        if let problem = SSHKeyFile(path: keys, use: .allowedSigners).problem { return .invalid(problem) }
        let search = try ssh(["-Y", "find-principals", "-s", signature, "-f", keys], [], in: directory)
        guard search.report.succeeded, let signer = search.text.lines.first else {
            return .invalid(
                Self.problem(with: key, of: path, search) ?? "'\(path)' is signed by the unknown key \(key)\(hint)")
        }
        let run = try ssh(["-Y", "verify", "-I", signer, "-f", keys] + options, bytes, in: directory)
        guard run.report.succeeded else {
            return .invalid(
                Self.problem(with: key, of: path, run)
                    ?? "'\(path)' is not signed by \(signer): \(run.errorText.lines.first ?? "status \(run.report.status)")"
            )
        }
        if let revoked = try configuredFile("gpg.ssh.revocationFile") {
            let file = SSHKeyFile(path: revoked, use: .revokedKeys)
            if let problem = file.problem { return .invalid(problem) }
            // Only the third level of messages has the reason.
            let run = try ssh(
                ["-vvv", "-Y", "verify", "-I", signer, "-f", keys, "-r", file.path] + options, bytes, in: directory)
            guard run.report.succeeded else {
                let reason = Self.reason(ofRevocation: run)
                return .invalid(
                    reason.hasSuffix("revoked")
                        ? "'\(path)' is signed by the key \(key), which is revoked in '\(file.path)'"
                        : "'\(file.path)' is no \(file.use.rawValue): \(reason)")
            }
        }
        return .trusted(by: "\(signer) (\(key))")
    }

    /// Returns the sentence for an allowed key that is not valid now, or not for files.
    private static func problem(with key: String, of path: String, _ run: CapturedRun) -> String? {
        for line in run.errorText.lines {
            if let limit = line.range(of: "valid-before ") {
                return "'\(path)' is signed by the key \(key), which expired on \(line[limit.upperBound...].prefix(10))"
            }
            if let limit = line.range(of: "valid-after ") {
                return
                    "'\(path)' is signed by the key \(key), which is valid from \(line[limit.upperBound...].prefix(10))"
            }
            if line.contains("not permitted for use in signature namespace") {
                return "'\(path)' is signed by the key \(key), which is not allowed to sign files"
            }
        }
        return nil
    }

    /// Returns the end of a line such as `debug3: sig_verify: sshkey_check_revoked: Key is revoked`.
    private static func reason(ofRevocation run: CapturedRun) -> String {
        for line in run.errorText.lines.reversed() {
            guard let start = line.range(of: "sshkey_check_revoked") else { continue }
            return line[start.upperBound...].parts(separatedBy: ": ").last.map(String.init) ?? line
        }
        return run.text.lines.last ?? "status \(run.report.status)"
    }

    /// Returns the type and fingerprint in a line such as `Good "file" signature with ED25519 key SHA256:…`.
    private static func key(_ line: String) -> String {
        guard let start = line.range(of: " with ") else { return line }
        return line[start.upperBound...].replacing(" key ", with: " ")
    }

    /// Returns the path of the file of allowed signers.
    private func allowedSigners() throws(OperationFailure) -> String? {
        if case .allowedSigners(let path) = trust { return path }
        return try configuredFile("gpg.ssh.allowedSignersFile")
    }

    /// Returns the file in a setting of git, which reads files from the top of a checkout.
    private func configuredFile(_ name: String) throws(OperationFailure) -> String? {
        guard let git, let path = try git.setting(name, isPath: true) else { return nil }
        if path.isAbsolutePath { return path }
        let top = try git.attempt(["rev-parse", "--show-toplevel"])
        let base = top.report.succeeded ? top.text.lines.first : nil
        return absolutePath(path, from: base ?? git.directory)
    }

    private func ssh(
        _ arguments: [String], _ input: [UInt8], in directory: String
    ) throws(OperationFailure) -> CapturedRun {
        try run(try SignatureProgram.find("ssh", git), arguments, input, in: directory)
    }

    // MARK: GnuPG

    private func checkGPG(_ path: String, in directory: String) throws(OperationFailure) -> Result {
        let signature = path + ChecksumSignature.gpg.suffix
        let text = (try? readText("\(directory)/\(signature)")) ?? ""
        let format = text.contains("-----BEGIN SIGNED MESSAGE-----") ? "x509" : "openpgp"
        // The status of gpg is 0 for an expired key, so its report decides.
        let run = try run(
            try SignatureProgram.find(format, git), ["--status-fd=1", "--verify", "--", signature, path], [],
            in: directory)
        for line in run.text.lines where line.hasPrefix("[GNUPG:] ") {
            let words = line.split(separator: " ", maxSplits: 3).dropFirst().map(String.init)
            let key = words.count > 2 ? "\(words[2]) (\(words[1]))" : words.dropFirst().first ?? ""
            switch words.first {
            case "GOODSIG": return .trusted(by: key)
            case "BADSIG":
                return .invalid("'\(path)' was changed after it was signed: '\(signature)' does not match")
            case "EXPKEYSIG": return .invalid("'\(path)' is signed by the key of \(key), which expired")
            case "REVKEYSIG": return .invalid("'\(path)' is signed by the key of \(key), which was revoked")
            case "EXPSIG": return .invalid("the signature '\(signature)' of \(key) expired")
            case "NO_PUBKEY":
                if trust == .any { return .trusted(by: key) }
                return .invalid(
                    "'\(path)' is signed by the unknown key \(key)\nhint: import the key if you trust it: gpg --import")
            default: continue
            }
        }
        // A program that only creates signatures gives no report.
        if trust == .any { return .trusted(by: "an unknown key") }
        let lines = run.errorText.lines.filter { $0.hasPrefix("gpg: ") }.map { $0.dropFirst("gpg: ".count) }
        let reason = lines.first.map(String.init) ?? run.errorText.lines.last ?? "status \(run.report.status)"
        return .invalid("'\(signature)' is no OpenPGP signature: \(reason)")
    }

    private func run(
        _ program: String, _ arguments: [String], _ input: [UInt8], in directory: String
    ) throws(OperationFailure) -> CapturedRun {
        // The messages are parsed.
        let command = Command(
            program, arguments, environment: environment.merging(["LC_ALL": "C"]) { $1 }, directory: directory,
            input: .bytes(input))
        let run = try convertingSpawnErrors(
            neededFor: "it verifies the signature of a release", of: processes.capture(command))
        guard run.report.stoppedBy == nil else { throw OperationFailure(of: program, run) }
        return run
    }
}

/// A file of SSH keys that `ssh-keygen` reads to verify a signature.
///
/// If `ssh-keygen` cannot use the file, it only reports that no key matches.
struct SSHKeyFile {
    enum Use: String {
        case allowedSigners = "file of allowed signers"
        case revokedKeys = "file of revoked keys"
    }

    let path: String
    let use: Use

    /// The reason why the file cannot be used, or `nil` if there is none. A file without any line contains no key.
    var problem: String? {
        guard fileExists(path) else { return "there is no \(use.rawValue) '\(path)'" }
        do throws(FileError) {
            let bytes = try readFile(path)
            if use == .revokedKeys, bytes.starts(with: Self.binaryStart) { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).lines.enumerated().filter { _, line in
                line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
            }
            guard let first = lines.first, !lines.contains(where: { hasKey($0.element) }) else { return nil }
            return "'\(path)' is no \(use.rawValue): expected lines such as '\(example)', found none, for example in "
                + "line \(first.offset + 1)"
        } catch {
            return error.description
        }
    }

    /// The first bytes of a list of revoked keys that `ssh-keygen -k` has written.
    private static let binaryStart = Array("SSHKRL\n\0".utf8)

    private var example: String {
        switch use {
        case .allowedSigners: "ada@example.org ssh-ed25519 AAAA…"
        case .revokedKeys: "ssh-ed25519 AAAA…"
        }
    }

    /// Returns a Boolean value that indicates whether a line has the type of a key at its place: after the names of the
    /// signer, perhaps with options between them.
    private func hasKey(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace).dropFirst(use == .allowedSigners ? 1 : 0)
        return words.dropLast().contains { word in
            ["ssh-", "ecdsa-", "sk-"].contains(where: word.hasPrefix)
        }
    }
}

/// The kind of a detached signature beside a checksum file.
enum ChecksumSignature: CaseIterable, Sendable {
    /// A signature of `ssh-keygen -Y sign`.
    case ssh
    /// A signature of GnuPG, or of `gpgsm` for X.509.
    case gpg

    /// The namespace of SSH signatures of files, as in the manual of `ssh-keygen`.
    static let namespace = "file"

    /// The extension of the signature.
    var suffix: String {
        switch self {
        case .ssh: ".sig"
        case .gpg: ".asc"
        }
    }

    /// Returns the path of the checksum file that a signature belongs to, or `nil` for any other file.
    static func signedFile(_ path: String) -> String? {
        for kind in allCases where path.hasSuffix(kind.suffix) {
            let signed = String(path.dropLast(kind.suffix.utf8.count))
            if ChecksumFile.isChecksumFile(signed) { return signed }
        }
        return nil
    }

    static func isSignature(_ path: String) -> Bool { signedFile(path) != nil }

    /// Removes the signatures of an earlier content of a checksum file, which would be wrong.
    static func remove(beside path: String) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in for kind in allCases { try removeTree(path + kind.suffix) } }
    }
}
