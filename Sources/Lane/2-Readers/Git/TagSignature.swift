package import OperatingSystem
import Text

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
