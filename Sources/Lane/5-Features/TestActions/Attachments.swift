import Actions
import Events
import LaneModel
import OperatingSystem
import Text

/// The directory of the files that the tests of a step attach.
struct Attachments {
    private let path: String
    /// A Boolean value that indicates whether the user chose the directory. The files of earlier runs then remain.
    private let isChosen: Bool

    init(_ settings: Settings, in context: StepContext) {
        let chosen = settings.string("attachments")
        isChosen = chosen != nil
        let name = context.step.description.replacing("/", with: "-")
        path = absolutePath(chosen ?? ".lane/attachments/\(name)", from: context.root)
    }

    /// Creates the directory, without the files of an earlier run. Returns its path, or `nil` with a warning if the
    /// default directory can't be written.
    func begin(in context: StepContext) throws(OperationFailure) -> String? {
        do throws(FileError) {
            if !isChosen, fileExists(path) { try removeTree(path) }
            try makeDirectories(path)
            return path
        } catch {
            guard !isChosen else { throw OperationFailure(error) }
            context.report(.warning, "\(error); files that tests attach are lost")
            return nil
        }
    }

    /// Removes the default directory, and the one above it, if they have no files.
    func removeIfEmpty() {
        guard !isChosen else { return }
        for directory in [path, parentDirectory(path)] where countEntries(directory) == 0 { try? removeTree(directory) }
    }
}
