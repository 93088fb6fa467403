import LaneModel

/// A script that ends a CircleCI job with success if a branch does not change the paths of the plan.
///
/// CircleCI starts pipelines for all changes, and the orb that filters paths needs a setup pipeline. Jobs always run on
/// the branches of the plan. Any other branch is compared with its merge base with one of them. If the changes are
/// unknown, the job runs.
struct CircleChanges {
    let plan: CIPlan
    let job: CIJob

    /// The script, or `nil` if all changes run the jobs.
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

    /// Returns the path before the first wildcard of a pattern. It matches at least the same files.
    private static func path(_ pattern: String) -> String {
        let bytes = pattern.utf8
        guard let end = bytes.firstIndex(where: { "*?+[\\".utf8.contains($0) }) else { return pattern }
        // The character before `?` is optional.
        let isOptional = bytes[end] == UInt8(ascii: "?") && end > bytes.startIndex
        return String(pattern[..<(isOptional ? bytes.index(before: end) : end)]) + "*"
    }
}
