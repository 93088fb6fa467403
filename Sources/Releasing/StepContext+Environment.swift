import Files
import LaneRun

extension StepContext {
    /// The moment that `SOURCE_DATE_EPOCH` puts in place of the present, in seconds since 1970; `nil` when it says none.
    func sourceDate() throws(StepFailure) -> Int64? {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else {
            throw .refused(["SOURCE_DATE_EPOCH: expected seconds since 1970, found '\(text)'"])
        }
        return seconds
    }

    /// A new folder for what is needed on the way; whoever makes it removes it.
    func makeTemporaryDirectory(prefix: String) throws(StepFailure) -> String {
        try onFiles { () throws(FileError) in
            try Files.makeTemporaryDirectory(for: environment, prefix: prefix)
        }
    }
}
