import Files
import LaneRun

/// The changelog in a package's folder.
enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// Its name as the folder has it, which may be `Changelog.md` where one asks for `CHANGELOG.md`; `nil` when there is
    /// none.
    static func present(in directory: String, name: String = name) -> String? {
        if fileKind("\(directory)/\(name)") != nil { return name }
        let folder = parentDirectory("\(directory)/\(name)")
        let wanted = lastPathComponent(name)
        guard let found = try? listDirectory(folder).sorted().first(where: { $0.lowercased() == wanted.lowercased() })
        else { return nil }
        return String(name.dropLast(wanted.count)) + found
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
