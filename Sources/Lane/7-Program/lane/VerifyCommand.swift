import Arguments
import LaneCommands
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
        let verification = ReceivedRelease(
            target, tag: arguments[tag], allowedSigners: arguments[keys], isRebuilt: arguments[rebuild],
            directory: world.directory, root: (try? Project.root(around: world.directory)) ?? world.directory,
            environment: world.environment, processes: world.processes, cancellation: world.cancellation, now: world.now
        )
        do throws(OperationFailure) {
            let report = try verification.verify(knowsGit: world.path(of: "git") != nil) {
                world.errors.writeLine($0)
            }
            return show(report, of: target, in: world)
        } catch {
            throw CommandFailure(error)
        }
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
