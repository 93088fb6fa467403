import Actions
import Arguments
import Events
import Git
import OperatingSystem
import Packaging
import Release
import Text

/// The command `lane verify`.
enum VerifyCommand: Subcommand {
    static let name = "verify"

    private static let target = Key<String?>.positional(
        "file|directory|url",
        help: "A file with its checksums beside it, a directory of files, or the URL of a file or of a release.",
        completion: .file)
    private static let keys = Key<String?>.option(
        "allowed-signers", value: "file",
        help: "Require an SSH signature by a key in this file, in the format of ssh-keygen(1).", completion: .file)
    private static let tag = Key<String?>.option("tag", value: "name", help: "Require the provenance of this tag.")
    private static let rebuild = Key<Bool>.flag(
        "rebuild", help: "Also build the commit, which the current checkout must have, and compare the bytes.")

    static let spec = CommandSpec(
        name, abstract: "Verify the files of a release: checksums, signatures, provenance and bills of materials.",
        discussion: """
            Every file must have a checksum, and if a checksum file is signed, a signed one. Without \
            '--allowed-signers', the keys of git's configuration are trusted: those of gpg.ssh.allowedSignersFile and \
            of the keyring of GnuPG. In a checkout of the same repository, the tag must be at the commit of the \
            provenance. The exit status is 0 if all is verified.
            """,
        parameters: [target.spec, keys.spec, tag.spec, rebuild.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        guard let target = arguments[target], !target.isEmpty else {
            throw CommandFailure(.usage, "there is nothing to verify", hint: "pass a file, a directory or a URL")
        }
        world.watchSignals()
        do throws(OperationFailure) {
            let scratch = try convertingFileErrors { () throws(FileError) in
                try ScratchDirectory(for: world.environment, prefix: "lane-verify")
            }
            defer { scratch.remove() }
            var verification = try verification(of: target, arguments, in: world, scratch: scratch.path)
            verification.checkout = git(in: world)
            var report = try verification.run()
            if arguments[rebuild], report.problems.isEmpty {
                report.add(try rebuildRow(for: report.statements, in: world, scratch: scratch.path))
            }
            return show(report, of: target, in: world)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns git in the working directory, or `nil` if it is not installed.
    private static func git(in world: World) -> Git? {
        world.path(of: "git") == nil
            ? nil : Git(in: world.directory, environment: world.environment, processes: world.processes)
    }

    private static func verification(
        of target: String, _ arguments: ParsedArguments, in world: World, scratch: String
    ) throws(OperationFailure) -> ReleaseVerification {
        let signatures = SignatureCheck(
            try trust(arguments[keys], in: world), git: git(in: world), environment: world.environment,
            processes: world.processes)
        var (directory, file, tag): (String, String?, String?)
        if target.contains("://") {
            let downloads = "\(scratch)/files"
            try convertingFileErrors { () throws(FileError) in try makeDirectories(downloads) }
            let curl = Curl(processes: world.processes, environment: world.environment, directory: scratch)
            let files = try ReleaseDownload(curl: curl, environment: world.environment, to: downloads).fetch(target)
            (directory, file, tag) = (downloads, files.file, files.tag)
        } else {
            let path = absolutePath(target, from: world.directory)
            guard fileExists(path) else {
                let hint = isAddress(target) ? "\nhint: begin a URL with https://" : ""
                throw OperationFailure(
                    status: ExitStatus.fileNotFound.rawValue, "there is no file or directory '\(target)'\(hint)")
            }
            (directory, file, tag) =
                isDirectory(path) ? (path, nil, nil) : (parentDirectory(path), lastPathComponent(path), nil)
        }
        var verification = ReleaseVerification(directory: directory, file: file, signatures: signatures)
        verification.tag = arguments[Self.tag] ?? tag
        verification.requiresTag = arguments[Self.tag] != nil
        return verification
    }

    /// Returns a Boolean value that indicates whether a missing path begins with the name of a host, whose last part has
    /// only letters: `github.com/example/shape`.
    private static func isAddress(_ path: String) -> Bool {
        guard let slash = path.firstIndex(of: "/") else { return false }
        let parts = path[..<slash].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, last.utf8.count > 1 else { return false }
        return !parts.contains("") && last.allSatisfy { $0.isASCII && $0.isLetter }
    }

    private static func trust(_ keys: String?, in world: World) throws(OperationFailure) -> SignatureCheck.Trust {
        guard let keys else { return .configured }
        let path = absolutePath(keys, from: world.directory)
        guard fileExists(path) else {
            throw OperationFailure(status: ExitStatus.fileNotFound.rawValue, "there is no file '\(keys)'")
        }
        return .allowedSigners(path)
    }

    private static func rebuildRow(
        for statements: [ProvenanceStatement], in world: World, scratch: String
    ) throws(OperationFailure) -> VerificationReport.Row {
        let root = (try? Project.root(around: world.directory)) ?? world.directory
        let git = Git(in: root, environment: world.environment, processes: world.processes)
        return try ReleaseRebuild(git: git, scratch: scratch) { directory, time in
            var environment = world.environment
            environment["SOURCE_DATE_EPOCH"] = time
            return StepContext(
                step: StepID("verify/rebuild"), directory: directory, root: directory, environment: environment,
                parameters: [:], processes: world.processes, cancellation: world.cancellation, now: world.now,
                send: { event in
                    if case .message(let message) = event {
                        world.errors.writeLine("\(message.level.rawValue): \(message.text)")
                    }
                })
        }.row(for: statements)
    }

    /// The number of problems of a row that are printed, so that the verdict stays on the screen.
    private static let shownProblems = 5

    /// Returns the text of a row, whose lines begin in the same column. Names in downloaded files may contain escape
    /// sequences.
    private static func indented(_ text: String) -> String {
        text.lines.map(TerminalText.onOneLine).joined(separator: "\n               ")
    }

    /// Prints the rows, and the verdict on the last line.
    private static func show(_ report: VerificationReport, of target: String, in world: World) -> ExitStatus {
        let style = world.style(for: world.output)
        let (pass, fail) = (
            style.apply(.green, to: style.symbol("✔", orElse: "ok")),
            style.apply(.red, to: style.symbol("✘", orElse: "--"))
        )
        for row in report.rows {
            let mark = row.problems.isEmpty ? row.isPresent ? pass : " " : fail
            let detail = row.problems.first ?? row.detail
            world.output.writeLine("\(mark) \(TerminalText.padded(row.title, to: 13))\(indented(detail))")
            for problem in row.problems.dropFirst().prefix(shownProblems - 1) {
                world.output.writeLine("               \(indented(problem))")
            }
            if row.problems.count > shownProblems {
                world.output.writeLine("               and \(row.problems.count - shownProblems) more")
            }
        }
        guard report.problems.isEmpty else {
            world.output.writeLine("\n\(fail) '\(target)' is not verified: \(count(report.problems.count, "problem"))")
            return .failed
        }
        world.output.writeLine("\n\(pass) '\(target)' is verified: \(count(report.fileCount, "file"))")
        return .done
    }
}
