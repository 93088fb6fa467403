package import Actions
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `tag` action: creates an annotated tag. In a transaction, the tag becomes visible when the transaction is
/// applied.
package struct TagAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "tag", "Create an annotated tag", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The name of the tag; the version by default"),
            SettingSchema("message", .string, "The tag message"),
        ],
        outputs: [
            ActionOutput("name", .string, "The name of the tag")
        ],
        example: """
            - tag: {}
            - tag: { name: v1.2.0, message: "Shape 1.2.0" }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings.string("name") ?? "<version>")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        if settings.string("name") != nil { return StepForecast(summary(of: settings)) }
        let planned = WorkingVersion.forecast(settings, in: context, after: earlier)
        return StepForecast(planned.map { summary($0.tag) } ?? summary(of: settings))
    }

    private func summary(_ name: String) -> String { "tag the commit '\(name)'" }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let git = Git(context)
        let name: String
        var message = settings.string("message")
        if let given = settings.string("name") {
            name = given
        } else {
            let working = try WorkingVersion.find(settings, in: context)
            name = working.tag
            let notes = try ChangelogFile.notes(for: working.version, in: context.directory)
            message = message ?? (["Release \(working.version)"] + [notes].compactMap { $0 }).joined(separator: "\n\n")
        }
        let isRelease = context.transaction != nil && WorkingVersion.planned(in: context)?.tag == name
        if !isRelease || !Self.isPlain(name) { try git.run(["check-ref-format", "refs/tags/\(name)"]) }
        // `bump` has checked the tag of the release.
        if !isRelease, try git.object(named: "refs/tags/\(name)") != nil {
            throw .refused(["the tag '\(name)' already exists"])
        }
        let text = (message ?? name) + "\n"
        if let transaction = context.transaction {
            transaction.plan(.tag(name: name, message: text))
        } else {
            try TagSignature.makeTag(name, text, git, signature: ReleaseSettings.read(git).signature)
        }
        return StepResult(outputs: ["name": .string(name)])
    }

    /// Returns a Boolean value that indicates whether a tag name, such as `v1.2.3`, is certainly valid. Git must check
    /// other names.
    private static func isPlain(_ name: String) -> Bool {
        let numbers = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 3 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isAlphanumeric) }
            && !name.hasSuffix(".lock")
    }
}
