import Expressions
package import LaneModel
package import Text
import YAML

/// The file `Lanes/remote/sources.yml`, which declares the sources of a package.
package enum SourcesFile {
    /// The path relative to the package's root.
    package static let path = "Lanes/remote/sources.yml"

    /// The keys of the file.
    package static let schema = ActionSchema(
        path, "The repositories whose lanes and actions a package uses",
        settings: [
            SettingSchema("sources", .map(.object(source)), "The repositories by name", isRequired: true)
        ])

    private static let source = [
        SettingSchema(
            "url", .string, "The address of the git repository; a path is relative to the root", isRequired: true),
        SettingSchema("version", .string, "The latest tag whose version starts with this, such as '1.4' for 1.4.2"),
        SettingSchema("branch", .string, "The last commit of this branch"),
        SettingSchema("commit", .string, "This commit, as its full hash"),
    ]

    private static let requirements = ["version", "branch", "commit"]

    /// Returns the valid sources in the order of the file, and the errors in the file.
    package static func read(_ file: SourceFile) -> (sources: [LaneSource], diagnostics: Diagnostics) {
        var (settings, diagnostics) = SettingsFile.read(file, schema)
        let members = YAMLParser.parse(file).0?["sources"]?.members ?? []
        var sources: [LaneSource] = []
        for (name, value) in settings?.map("sources") ?? [] {
            let member = members.first { $0.name == name }
            if let source = source(name, value, member, &diagnostics) { sources.append(source) }
        }
        return (sources, diagnostics)
    }

    private static func source(
        _ name: String, _ value: Value, _ member: YAMLMember?, _ diagnostics: inout Diagnostics
    ) -> LaneSource? {
        guard LaneFiles.isName(name) else {
            diagnostics.error(
                "'\(name)' is not a valid name for a source", at: member?.nameSpan,
                hint: "start with a letter or digit, and use letters, digits, '-', '_' and '.'")
            return nil
        }
        guard let url = value["url"]?.text else { return nil }
        if let problem = SourceAddress.problem(with: url) {
            diagnostics.error(problem.message, at: member?.value["url"]?.span, hint: problem.hint)
            return nil
        }
        let given = requirements.filter { value[$0]?.text != nil }
        guard given.count == 1, let text = value[given[0]]?.text else {
            let found = given.isEmpty ? "none" : list(given.map { "'\($0)'" }, joinedBy: "and")
            diagnostics.error(
                "expected one of 'version', 'branch' and 'commit' in source '\(name)', found \(found)",
                at: member?.nameSpan)
            return nil
        }
        guard let requirement = SourceRequirement(given[0], text) else {
            diagnostics.error(
                "'\(text)' is not a \(given[0])", at: member?.value[given[0]]?.span, hint: hint(for: given[0]))
            return nil
        }
        return LaneSource(name: name, url: url, requirement: requirement, span: member?.nameSpan)
    }

    private static func hint(for key: String) -> String {
        switch key {
        case "version": "for example '1', '1.4' or '1.4.2'"
        case "commit": "expected all 40 hexadecimal digits of the commit, in lowercase"
        default: "expected the name of a branch, such as 'main'"
        }
    }
}
