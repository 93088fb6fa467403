package import Git
import Text

/// The entry of a commit in a changelog.
package struct CommitEntry: Sendable, Equatable {
    /// The headings of Keep a Changelog, in the order of sections.
    enum Section: String, Sendable, CaseIterable {
        case added = "Added"
        case changed = "Changed"
        case deprecated = "Deprecated"
        case removed = "Removed"
        case fixed = "Fixed"
        case security = "Security"

        /// The headings with this meaning in lowercase: those of Keep a Changelog and of tools that write changelogs.
        var headings: Set<String> {
            switch self {
            case .added: ["added", "features", "feature", "new features", "new"]
            case .changed: ["changed", "changes"]
            case .fixed: ["fixed", "bug fixes", "bugfixes", "fixes"]
            case .deprecated, .removed, .security: [rawValue.lowercased()]
            }
        }

        /// Creates the kind of the notes below a heading.
        init?(heading: HeadingTitle) {
            let words = heading.words.joined(separator: " ")
            guard let found = Self.allCases.first(where: { $0.headings.contains(words) }) else { return nil }
            self = found
        }
    }

    let section: Section
    /// The text in Markdown.
    let text: String
    /// A Boolean value that indicates whether the commit has `!` in its subject, or a note such as `BREAKING CHANGE:` or
    /// a squashed commit with `!` in its body.
    package let isBreaking: Bool
    /// A Boolean value that indicates whether the commit adds a feature, which requires a minor version.
    private(set) var isFeature: Bool

    /// Creates the entry of a commit. Returns `nil` for merges without a conventional title, releases, and
    /// conventional commits that do not affect users.
    package init?(_ commit: GitCommit) {
        guard !Self.isHousekeeping(commit.subject) else { return nil }
        let isMerge = commit.isMerge || commit.hasMergeSubject
        let found = commit.breakingNotes
        let title = commit.title
        // The title is not a note below itself.
        let notes = found.texts.filter { !isMerge || !title.hasSuffix($0) || $0.isEmpty }
        guard let conventional = ConventionalSubject(title) else {
            // The commits of other merges have their own entries.
            guard !isMerge || !notes.isEmpty else { return nil }
            self.init(section: .changed, text: title, isBreaking: !notes.isEmpty, notes: notes)
            if found.hasFeature, !isMerge { isFeature = true }
            return
        }
        let isBreaking = conventional.isBreaking || !notes.isEmpty
        let section: Section
        switch conventional.type {
        case "feat", "feature": section = .added
        case "fix", "bugfix", "hotfix": section = .fixed
        case "perf", "refactor", "change", "revert": section = .changed
        case "deprecate": section = .deprecated
        case "remove": section = .removed
        case "security": section = .security
        default:
            // Commits of types such as docs, test, build, ci, chore and style affect users only if they are breaking.
            guard isBreaking else { return nil }
            section = .changed
        }
        let prefix = conventional.type == nil ? "\(conventional.head): " : conventional.scope.map { "\($0): " } ?? ""
        let text = conventional.type == "revert" ? "Revert \"\(conventional.description)\"" : conventional.description
        self.init(section: section, text: prefix + text, isBreaking: isBreaking, notes: notes)
    }

    private init(section: Section, text: String, isBreaking: Bool, notes: [String]) {
        self.section = section
        self.isBreaking = isBreaking
        isFeature = section == .added
        let markdown = InlineMarkdown.escaped(text)
        let sentence = markdown.prefix(1).uppercased() + markdown.dropFirst()
        // A note that repeats the subject is omitted.
        let more = notes.filter { !$0.isEmpty && $0.lowercased() != text.lowercased() }.map(InlineMarkdown.escaped)
        let end = more.isEmpty || sentence.hasSuffix(".") ? "" : "."
        self.text = (isBreaking ? "**Breaking:** " : "") + ([sentence + end] + more).joined(separator: " ")
    }

    private static func isHousekeeping(_ subject: String) -> Bool {
        if ["fixup! ", "squash! ", "amend! "].contains(where: subject.hasPrefix) { return true }
        return subject.hasPrefix("Release ") && ReleaseTag(String(subject.dropFirst("Release ".count))) != nil
    }
}

extension CommitEntry {
    /// Returns the entries of commits without reverted commits, newest first.
    package static func list(_ commits: [GitCommit]) -> [CommitEntry] {
        PullRequests.collapsed(Reverts.remaining(of: commits)).compactMap { CommitEntry($0) }
    }
}

extension GitCommit {
    /// The breaking changes in the body.
    fileprivate var breakingNotes: BreakingNotes {
        BreakingNotes(body, isMerge || hasMergeSubject ? .paragraphs : updatesDependency ? .none : .bullets)
    }

    /// A Boolean value that indicates whether the subject is that of Dependabot, Renovate and the like.
    private var updatesDependency: Bool {
        let conventional = ConventionalSubject(subject)
        let nouns: Set = ["deps", "dependencies", "deps-dev"]
        if [conventional?.scope, conventional?.type].compactMap(\.self).contains(where: nouns.contains) { return true }
        let words = (conventional?.description ?? subject).lowercased().split(separator: " ").map(String.init)
        let verbs: Set = ["bump", "bumps", "update", "upgrade"]
        return words.first.map(verbs.contains) ?? false && words.contains("to")
    }

    /// A note about text that seems to describe a breaking change but does not count, or `nil` if there is none.
    var doubt: String? {
        guard CommitEntry(self)?.isBreaking != true else { return nil }
        let isInSubject = BreakingNotes.isDoubtful(subject[...])
        let body = breakingNotes
        guard body.texts.isEmpty, let text = isInSubject ? subject : body.doubtful else { return nil }
        return "\(hash.prefix(10)) seems to be a breaking change, which 'auto' does not count: '\(text)'\n"
            + "hint: if it is one, name the version"
    }
}

extension VersionBump {
    /// Returns the bump of a breaking change, which increments the minor number below 1.0.0.
    static func breaking(after version: SemanticVersion) -> VersionBump {
        version.isInitialDevelopment ? .minor : .major
    }

    /// Returns the bump that commits require, or `nil` if no commit affects users.
    ///
    /// - Parameter breaksAPI: A Boolean value that indicates whether the commits break the public API, whatever their
    ///   messages are.
    static func required(by commits: [GitCommit], after version: SemanticVersion, breaksAPI: Bool = false)
        -> VersionBump?
    {
        let entries = CommitEntry.list(commits)
        if breaksAPI || entries.contains(where: \.isBreaking) { return breaking(after: version) }
        guard !entries.isEmpty else { return nil }
        return entries.contains(where: \.isFeature) ? .minor : .patch
    }
}

extension GitCommit {
    /// The beginnings of merge subjects. A rebase or squash may have removed the second parent.
    private static let merges = [
        "Merge branch '", "Merge branches '", "Merge remote-tracking branch '", "Merge remote-tracking branches '",
        "Merge tag '", "Merge commit '", "Merge pull request #", "Merged in ",
    ]

    /// A Boolean value that indicates whether the subject is the one that git or a forge writes for a merge.
    var hasMergeSubject: Bool { Self.merges.contains(where: subject.hasPrefix) }

    /// The title of a merged pull request: the subject, or the first line of the body below a subject such as
    /// `Merge pull request #12 from ada/topic`.
    var title: String {
        guard hasMergeSubject else { return subject }
        return body.lines.first { !$0.utf8.allSatisfy(\.isSpace) } ?? subject
    }

    /// A Boolean value that indicates whether the commit is a merge whose title describes its change.
    var isTitledMerge: Bool { isMerge && ConventionalSubject(title) != nil }
}

/// A filter for commits that the title of their merge describes.
enum PullRequests {
    /// Returns the commits without those that a merge with a conventional title has merged. A breaking change in them
    /// remains, unless the title is breaking, too.
    static func collapsed(_ commits: [GitCommit]) -> [GitCommit] {
        let merges = commits.indices.filter { commits[$0].isTitledMerge }
        guard !merges.isEmpty else { return commits }
        let numbers = Dictionary(commits.indices.map { (commits[$0].hash, $0) }) { one, _ in one }
        let graph = CommitGraph(commits.map { ($0.hash, $0.parents) })
        var dropped: Set<Int> = []
        for index in merges where !dropped.contains(index) {
            let merge = merge(commits[index], in: graph)
            let inner = (merge.merged ?? []).compactMap { numbers[$0] }
            let isBreaking = CommitEntry(merge)?.isBreaking ?? false
            dropped.formUnion(inner.filter { isBreaking || CommitEntry(commits[$0])?.isBreaking != true })
        }
        return commits.indices.filter { !dropped.contains($0) }.map { commits[$0] }
    }

    /// Returns a merge with the commits that it merged, unless they are known.
    static func merge(_ commit: GitCommit, in graph: CommitGraph) -> GitCommit {
        guard commit.merged == nil else { return commit }
        var commit = commit
        commit.merged = graph.merged(into: commit.parents.first, from: commit.parents.dropFirst())
        return commit
    }
}
