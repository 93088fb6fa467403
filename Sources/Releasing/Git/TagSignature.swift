import LaneRun
import Processes

/// The signature of tags that the user's configuration requires.
enum TagSignature {
    private static let settings = ["tag.gpgSign", "tag.forceSignAnnotated"]

    /// Returns the first setting that requires a signature, or `nil` if none does.
    static func demand(_ git: Git) throws(StepFailure) -> String? {
        for setting in settings {
            let value = try git.attempt(["config", "--type=bool", "--get", setting])
            if value.report.succeeded, value.text.lines.first == "true" { return setting }
        }
        return nil
    }

    /// Creates an annotated tag, which is signed if the user's configuration requires it.
    ///
    /// - Parameters:
    ///   - git: Git in the user's checkout, whose configuration applies.
    ///   - directory: The directory in which the tag is created, if it is another one.
    static func makeTag(
        _ name: String, _ message: String, on commit: String = "HEAD", _ git: Git, in directory: String? = nil,
        settings: [String: String] = [:]
    ) throws(StepFailure) {
        // With only `--annotate`, git ignores one of the settings.
        let option = try demand(git) == nil ? "--annotate" : "--sign"
        let run = try git.inside(directory ?? git.directory).attempt(
            ["tag", option, "--cleanup=verbatim", "--file=-", "--", name, commit], input: Array(message.utf8),
            settings: settings)
        guard run.report.succeeded else { throw git.failure(of: "git tag", run, making: "tag '\(name)'") }
    }

    /// Throws if a tag must be signed but is not.
    static func check(_ object: String, named name: String, _ git: Git) throws(StepFailure) {
        guard let setting = try demand(git) else { return }
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
