import Files
import LaneRun
import Processes

extension TransactionJournal {
    /// Works out the checkout's next index beside the real one, and whether git could bring the files to it.
    func prepareIndex(at place: TransactionPlace, _ git: Git) throws(StepFailure) {
        guard movesBranch else { return }
        try onFiles { () throws(FileError) in try writeFile(readFile(place.userIndex), to: place.index) }
        let settings = ["GIT_INDEX_FILE": place.index]
        let checkout = git.inside(place.repository.topLevel)
        _ = try checkout.attempt(["update-index", "-q", "--refresh"], settings: settings)
        let trial = try checkout.attempt(["read-tree", "--dry-run", "-m", "-u", old, new], settings: settings)
        guard trial.report.succeeded else {
            throw .refused(["the checkout was changed meanwhile: \(trial.errorText.lines.first ?? "unknown change")"])
        }
    }
}
