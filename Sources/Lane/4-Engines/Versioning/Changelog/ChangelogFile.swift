package import OperatingSystem
package import Text

/// The changelog in the directory of a package.
package enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// The other names of changelogs without their extensions.
    private static let stems = ["changelog", "changes", "history"]

    /// The names of files that are changelogs if their headings name versions, and often something else.
    private static let otherStems = ["news", "releases", "release-notes", "release_notes"]

    /// The extensions of files in Markdown and of plain text.
    private static let extensions: Set = ["", "md", "markdown", "mdown", "mkd", "txt"]

    /// Returns the file name of the changelog, or `nil` if there is none. The name may differ in case. A file such as
    /// `CHANGES.md` is accepted if it contains sections of versions.
    static func present(in directory: String, name: String = name) -> String? {
        if fileKind("\(directory)/\(name)") != nil { return name }
        let base = lastPathComponent(name)
        if let found = files(beside: "\(directory)/\(name)").first(where: { $0.lowercased() == base.lowercased() }) {
            return String(name.dropLast(base.count)) + found
        }
        guard name == Self.name else { return nil }
        let others =
            files(named: otherStems, in: directory) + files(named: stems, in: "\(directory)/docs").map { "docs/\($0)" }
        return (files(named: stems, in: directory) + others).first { hasVersions($0, in: directory) }
    }

    /// Returns a file that has the name of a changelog but no heading with a version, or `nil` if there is none.
    static func unrecognized(in directory: String, name: String) -> String? {
        name == Self.name && present(in: directory) == nil ? files(named: stems, in: directory).first : nil
    }

    private static func files(named stems: [String], in directory: String) -> [String] {
        let files = files(beside: "\(directory)/\(name)").filter { fileKind("\(directory)/\($0)") == .file }
        return stems.flatMap { stem in files.filter { $0.lowercased().prefix { $0 != "." } == stem } }
    }

    private static func hasVersions(_ file: String, in directory: String) -> Bool {
        let end = file.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first
        guard extensions.contains(end.map { String(Substring($0)).lowercased() } ?? "") else { return false }
        return (try? readFile("\(directory)/\(file)")).map { !Changelog($0).versions.isEmpty } ?? false
    }

    private static func files(beside path: String) -> [String] {
        ((try? listDirectory(parentDirectory(path))) ?? []).sorted()
    }

    /// Returns the changelog, or `nil` if there is none.
    package static func read(in directory: String, name: String = name) throws(OperationFailure) -> Changelog? {
        do throws(FileError) {
            return Changelog(try readFile("\(directory)/\(present(in: directory, name: name) ?? name)"))
        } catch {
            // A file that cannot be read must not be replaced.
            guard error.isMissing else { throw OperationFailure(error) }
            return nil
        }
    }

    /// Returns the notes of a version, or `nil` if the changelog has no section for it.
    package static func notes(for version: SemanticVersion, in directory: String) throws(OperationFailure) -> String? {
        try notes(for: version, in: read(in: directory), named: present(in: directory) ?? name)
    }

    static func notes(
        for version: SemanticVersion, in changelog: Changelog?, named name: String
    ) throws(OperationFailure) -> String? {
        do throws(ChangelogProblem) { return try changelog?.checkedNotes(for: version) } catch {
            throw error.refusal(in: name)
        }
    }

    /// Returns the notes of a version as the text of its release, or `nil` if the changelog has no section for it.
    ///
    /// - Parameter pages: Returns the addresses of the tag's files for the name of the changelog.
    package static func releaseText(
        for version: SemanticVersion, in directory: String, _ pages: (String) -> TagPages
    ) throws(OperationFailure) -> String? {
        let name = present(in: directory) ?? name
        let changelog = try read(in: directory)
        do throws(ChangelogProblem) { return try changelog?.releaseText(for: version, pages(name)) } catch {
            throw error.refusal(in: name)
        }
    }
}
