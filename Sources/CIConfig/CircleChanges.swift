import LaneModel

/// What ends a CircleCI job early, and well, when a branch changes nothing that the job is about.
///
/// CircleCI starts pipelines whatever has changed, and the orb that would look first needs a set-up pipeline of its own.
/// A branch that is in the plan's list is always tested; any other is compared with where it left one of those.
/// Whatever cannot be found out runs.
struct CircleChanges {
    let plan: CIPlan
    let job: CIJob

    /// `nil` where every change counts.
    var script: String? {
        guard job.events.contains(.pullRequest), let patterns = plan.patterns(for: CircleFile.path) else { return nil }
        let paths = patterns.filter { !$0.hasPrefix("!") }.map(Self.path)
        guard !paths.isEmpty, !paths.contains("*") else { return nil }
        let watched = plan.branches.map { BranchPattern($0) }
        let branches = watched.map(\.shellPattern)
        let references = watched.map { $0.references(below: "refs/remotes/origin/") }.joined(separator: " ")
        return """
            case $CIRCLE_BRANCH in \((["''"] + branches).joined(separator: " | "))) exit 0 ;; esac
            for branch in $(git for-each-ref --format='%(refname)' \(references)); do
              base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
              git diff --quiet "$base" HEAD -- \(paths.map { ShellWords.quoted(":(top)" + $0) }.joined(separator: " ")) || continue
              circleci-agent step halt
              exit 0
            done

            """
    }

    /// A pattern's text before its first wildcard and anything behind it: more than it says, and never less.
    private static func path(_ pattern: String) -> String {
        let bytes = pattern.utf8
        guard let end = bytes.firstIndex(where: { "*?+[\\".utf8.contains($0) }) else { return pattern }
        // The letter before such a mark may be missing.
        let isOptional = bytes[end] == UInt8(ascii: "?") && end > bytes.startIndex
        return String(pattern[..<(isOptional ? bytes.index(before: end) : end)]) + "*"
    }
}
