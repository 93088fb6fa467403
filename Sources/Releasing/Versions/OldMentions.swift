import LaneRun
import Processes

/// Lines that still call the package by the version before, in files that no rule of ours knows: a person may have meant
/// them to change, too.
struct OldMentions {
    /// `file:line`, in the order of the files.
    let places: [String]

    /// Looks through all that git knows, but for changelogs and the packages that this one is built with, of which old
    /// versions are the history, or somebody else's.
    init(of version: SemanticVersion, in git: Git) throws(StepFailure) {
        let number = version.description.map { $0.isLetter || $0.isNumber ? "\($0)" : "[\($0)]" }.joined()
        let pattern = "version.*[^0-9.]\(number)([^0-9.+-]|[.]?$)"
        let others = ["CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "Package*.resolved"].map {
            ":(exclude,icase,glob)**/\($0)"
        }
        let found = try git.attempt(["grep", "-z", "-n", "-I", "-i", "-E", "-e", pattern, "--", "."] + others)
        // 1 says that there is none.
        places =
            found.report.succeeded
            ? found.text.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: "\0", maxSplits: 2)
                return fields.count == 3 ? "\(fields[0]):\(fields[1])" : nil
            } : []
    }
}
