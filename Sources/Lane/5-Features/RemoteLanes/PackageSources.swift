import Expressions
package import LaneModel
import OperatingSystem
package import Text
import YAML

/// The sources of a package and their lock file.
package struct PackageSources: Sendable {
    package let sources: [LaneSource]
    package let lock: SourcesLock
    private let file: SourceFile

    package init(_ sources: [LaneSource], lock: SourcesLock, file: SourceFile) {
        self.sources = sources
        self.lock = lock
        self.file = file
    }

    /// Reads the sources file and the lock file. Returns `nil` if the package has no sources.
    ///
    /// - Parameter directory: The directory that paths in messages are relative to.
    package static func read(root: String, seenFrom directory: String) throws(Diagnostics) -> PackageSources? {
        let path = "\(root)/\(SourcesFile.path)"
        guard fileExists(path) else { return nil }
        let file = try read(path, seenFrom: directory)
        let (sources, diagnostics) = SourcesFile.read(file)
        try diagnostics.throwIfErrors()
        let lockPath = "\(root)/\(SourcesLock.path)"
        guard fileExists(lockPath) else { return PackageSources(sources, lock: SourcesLock([]), file: file) }
        let lockFile = try read(lockPath, seenFrom: directory)
        do throws(Diagnostic) {
            return PackageSources(sources, lock: try SourcesLock.read(lockFile), file: file)
        } catch {
            throw Diagnostics([error])
        }
    }

    private static func read(_ path: String, seenFrom directory: String) throws(Diagnostics) -> SourceFile {
        let shown = relativePath(path, to: directory)
        do throws(FileError) {
            return SourceFile(path: shown, bytes: try readFile(path))
        } catch {
            let span = Span(file: SourceFile(path: shown, bytes: []), range: 0..<0)
            throw Diagnostics([Diagnostic(.error, error.description, at: span)])
        }
    }

    /// Returns the entry of a source in the lock file. Throws if there is none, or if the address or the requirement
    /// has changed since.
    package func locked(_ source: LaneSource) throws(Diagnostic) -> LockedSource {
        guard let entry = lock[source.name] else {
            throw Diagnostic(
                .error, "source '\(source.name)' is not in the lock file", at: source.span,
                hint: "use 'lane update \(source.name)'")
        }
        guard entry.isFor(source) else {
            let found = entry.url == source.url ? "for \(entry.requirement)" : "from '\(entry.url)'"
            throw Diagnostic(
                .error, "source '\(source.name)' was changed; it is locked \(found)", at: source.span,
                hint: "use 'lane update \(source.name)'")
        }
        return entry
    }

    /// The errors for entries of the lock file without a source.
    package var unusedEntries: Diagnostics {
        var diagnostics = Diagnostics()
        for entry in lock.sources where !sources.contains(where: { $0.name == entry.name }) {
            diagnostics.error(
                "the lock file has the source '\(entry.name)', which is not in this file",
                at: Span(file: file, range: 0..<0), hint: "use 'lane update'")
        }
        return diagnostics
    }
}

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
