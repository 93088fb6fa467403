import Files
import LaneEvents
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

    /// The variable that moves what SwiftPM builds, in spite of `--scratch-path`.
    private static let scratchVariable = "SWIFTPM_BUILD_DIR"

    /// The same context for builds that name their own directory with `--scratch-path`.
    var withOwnScratch: StepContext { without(Self.scratchVariable) }

    /// The directory that SwiftPM builds the package into, relative to it or absolute.
    var scratch: String { environment[Self.scratchVariable] ?? ".build" }

    /// Makes an empty directory for what is needed on the way, which the caller removes. It has the same name each
    /// time, so that what a killed run left in it is gone with the next one.
    func makeScratchDirectory(_ purpose: String) throws(StepFailure) -> String {
        let step = String(step.description.map { $0 == "/" ? "-" : $0 })
        let path = "\(directory)/.build/lane-\(purpose)/\(step)"
        try onFiles { () throws(FileError) in
            try removeTree(path)
            try makeDirectories(path)
        }
        return path
    }
}
