import Files
import LaneRun

/// The changelog in a package's folder.
enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// What else changelogs are called, before whatever ending.
    private static let stems = ["changelog", "changes", "history"]

    /// Its name as the folder has it, which may be `Changelog.md` where one asks for `CHANGELOG.md`, or `CHANGES.md` if
    /// that has sections of versions; `nil` when there is none.
    static func present(in directory: String, name: String = name) -> String? {
        if fileKind("\(directory)/\(name)") != nil { return name }
        let wanted = lastPathComponent(name)
        if let found = files(beside: "\(directory)/\(name)").first(where: { $0.lowercased() == wanted.lowercased() }) {
            return String(name.dropLast(wanted.count)) + found
        }
        return name == Self.name ? namesakes(in: directory).first { hasVersions("\(directory)/\($0)") } : nil
    }

    /// A file that is called like a changelog and is not taken for it, because no heading in it names a version.
    static func unread(in directory: String, name: String) -> String? {
        name == Self.name && present(in: directory) == nil ? namesakes(in: directory).first : nil
    }

    private static func namesakes(in directory: String) -> [String] {
        let files = files(beside: "\(directory)/\(name)").filter { fileKind("\(directory)/\($0)") == .file }
        return stems.flatMap { stem in files.filter { $0.lowercased().prefix { $0 != "." } == stem } }
    }

    private static func hasVersions(_ path: String) -> Bool {
        (try? readText(path)).map { !Changelog($0).versions.isEmpty } ?? false
    }

    private static func files(beside path: String) -> [String] {
        ((try? listDirectory(parentDirectory(path))) ?? []).sorted()
    }

    /// `nil` when there is none.
    static func read(in directory: String, name: String = name) throws(StepFailure) -> Changelog? {
        do throws(FileError) {
            return Changelog(try readText("\(directory)/\(present(in: directory, name: name) ?? name)"))
        } catch {
            // One that is there and cannot be read must not be taken for none, and be written anew.
            guard error.isMissing else { throw StepFailure(error) }
            return nil
        }
    }
}
