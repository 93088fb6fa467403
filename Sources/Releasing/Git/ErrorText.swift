import Archives
import Files
import LaneRun

import Diagnostics

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system's words for an `errno`.
func describe(_ code: Int32) -> String { String(cString: strerror(code)) }

extension StepFailure {
    init(_ error: FileError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.description)
    }

    init(_ error: ArchiveError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.description)
    }

    /// Everything for which a release is refused, in one list.
    static func refused(_ problems: [String]) -> StepFailure {
        StepFailure(status: ExitStatus.refused.rawValue, problems.count == 1 ? problems[0] : list(of: problems))
    }

    private static func list(of problems: [String]) -> String {
        let items = problems.map { "- " + $0.split(separator: "\n").joined(separator: "\n  ") }
        return (["\(count(problems.count, "problem")):"] + items).joined(separator: "\n")
    }
}

/// Does file work, and turns its error into a step's.
func onFiles<Result>(_ body: () throws(FileError) -> Result) throws(StepFailure) -> Result {
    do throws(FileError) { return try body() } catch { throw StepFailure(error) }
}

/// Does archive work, and turns its error into a step's.
func onArchives<Result>(_ body: () throws(ArchiveError) -> Result) throws(StepFailure) -> Result {
    do throws(ArchiveError) { return try body() } catch { throw StepFailure(error) }
}
