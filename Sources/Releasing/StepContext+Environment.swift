import Files
import LaneEvents
import LaneRun

extension StepContext {
    /// Returns the time in `SOURCE_DATE_EPOCH` in seconds since 1970, or `nil` if it is not set.
    func sourceDate() throws(StepFailure) -> Int64? {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else {
            throw .refused(["SOURCE_DATE_EPOCH: expected seconds since 1970, found '\(text)'"])
        }
        return seconds
    }

    /// The variable that overrides `--scratch-path` of SwiftPM.
    private static let scratchVariable = "SWIFTPM_BUILD_DIR"

    /// The context for builds with their own `--scratch-path`.
    var withOwnScratch: StepContext { without(Self.scratchVariable) }

    /// The build directory of SwiftPM, relative to the package or absolute.
    var scratch: String { environment[Self.scratchVariable] ?? ".build" }

    /// Creates an empty directory for temporary files, which the caller removes. Its name is constant, so that the
    /// files of a killed run are removed by the next one.
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
