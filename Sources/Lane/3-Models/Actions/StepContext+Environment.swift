import Events
package import OperatingSystem
import Text

extension StepContext {
    /// Returns the time in `SOURCE_DATE_EPOCH` in seconds since 1970, or `nil` if it is not set.
    package func sourceDate() throws(OperationFailure) -> Int64? {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else {
            throw .refused(["SOURCE_DATE_EPOCH: expected seconds since 1970, found '\(text)'"])
        }
        return seconds
    }

    /// Returns the date in UTC, such as `2026-11-21`, of a release that is made now. `SOURCE_DATE_EPOCH` overrides the
    /// time.
    package func releaseDate() throws(OperationFailure) -> String {
        Instant(secondsSince1970: try sourceDate() ?? Int64(now())).date.description
    }

    /// The variable that overrides `--scratch-path` of SwiftPM.
    private static let scratchVariable = "SWIFTPM_BUILD_DIR"

    /// The context without the variable, for builds that pass `--scratch-path`.
    package var withOwnScratch: StepContext { without(Self.scratchVariable) }

    /// The build directory of SwiftPM, relative to the package or absolute.
    package var scratch: String { environment[Self.scratchVariable] ?? ".build" }

    /// Creates an empty directory for temporary files, which the caller removes. The directory has a constant name, so
    /// the next run removes the files of a run that was killed.
    package func makeScratchDirectory(_ purpose: String) throws(OperationFailure) -> String {
        let step = String(step.description.map { $0 == "/" ? "-" : $0 })
        let path = "\(directory)/.build/lane-\(purpose)/\(step)"
        try convertingFileErrors { () throws(FileError) in
            try removeTree(path)
            try makeDirectories(path)
        }
        return path
    }

    /// Creates the directory of packages or documentation, with a `.gitignore`. Without it, the files of one release
    /// would make the checkout unclean for the next release.
    package func makeOutputDirectory(_ output: String) throws(OperationFailure) {
        let isNew = !fileExists("\(root)/\(output)")
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories("\(directory)/\(output)")
            guard isNew else { return }
            try writeFile("*\n", to: "\(directory)/\(output)/.gitignore")
        }
        if isNew { transaction?.plan(.keep(relativePath: "\(output)/.gitignore")) }
    }
}
