import Files
import LaneRun

/// The changelog in a package's folder.
enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// `nil` when there is none.
    static func read(in directory: String, name: String = name) throws(StepFailure) -> Changelog? {
        do throws(FileError) {
            return Changelog(try readText("\(directory)/\(name)"))
        } catch {
            // One that is there and cannot be read must not be taken for none, and be written anew.
            guard error.isMissing else { throw StepFailure(error) }
            return nil
        }
    }
}
