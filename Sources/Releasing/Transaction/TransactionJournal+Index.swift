import Text
import Files
import LaneRun
import Processes

extension TransactionJournal {
    /// Writes the next index of the checkout to a temporary file. Throws if git could not update the checkout.
    func prepareIndex(at paths: TransactionPaths, _ git: Git) throws(StepFailure) {
        guard movesBranch else { return }
        try onFiles { () throws(FileError) in try writeFile(readFile(paths.userIndex), to: paths.index) }
        let settings = ["GIT_INDEX_FILE": paths.index]
        let checkout = git.inside(paths.repository.topLevel)
        _ = try checkout.attempt(["update-index", "-q", "--refresh"], settings: settings)
        let trial = try checkout.attempt(["read-tree", "--dry-run", "-m", "-u", old, new], settings: settings)
        guard trial.report.succeeded else {
            throw .refused(["the checkout was changed meanwhile: \(trial.errorText.lines.first ?? "unknown change")"])
        }
    }
}
