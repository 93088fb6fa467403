import LaneRun
import Processes

/// The signature that a person's settings ask for on tags.
enum TagSignature {
    private static let settings = ["tag.gpgSign", "tag.forceSignAnnotated"]

    /// The first setting that asks for one; `nil` where none does.
    static func demand(_ git: Git) throws(StepFailure) -> String? {
        for setting in settings {
            let value = try git.attempt(["config", "--type=bool", "--get", setting])
            if value.report.succeeded, value.text.lines.first == "true" { return setting }
        }
        return nil
    }

    /// Makes an annotated tag, signed where the settings ask for it.
    ///
    /// - Parameters:
    ///   - git: In the user's checkout, whose settings count.
    ///   - directory: The directory that the tag is made in, if that is another one.
    static func makeTag(
        _ name: String, _ message: String, on commit: String = "HEAD", _ git: Git, in directory: String? = nil,
        settings: [String: String] = [:]
    ) throws(StepFailure) {
        // By `--annotate` alone git passes over one of the settings.
        let option = try demand(git) == nil ? "--annotate" : "--sign"
        let run = try git.inside(directory ?? git.directory).attempt(
            ["tag", option, "--cleanup=verbatim", "--file=-", "--", name, commit], input: Array(message.utf8),
            settings: settings)
        guard run.report.succeeded else { throw git.failure(of: "git tag", run, making: "tag '\(name)'") }
    }

    /// Throws where a tag should be signed and is not.
    static func check(_ object: String, named name: String, _ git: Git) throws(StepFailure) {
        guard let setting = try demand(git) else { return }
        let tag = try git.attempt(["cat-file", "tag", object])
        let marks = ["PGP SIGNATURE", "PGP MESSAGE", "SSH SIGNATURE", "SIGNED MESSAGE"].map { "-----BEGIN \($0)-----" }
        guard tag.report.succeeded, tag.text.lines.contains(where: marks.contains) else {
            throw .refused([
                "the tag '\(name)' is not signed, and the setting '\(setting)' of git asks for that\n"
                    + "hint: git tag --sign --force \(name) \(name)^{}"
            ])
        }
    }
}
