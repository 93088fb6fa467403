/// What a commit means for a reader of release notes.
package struct CommitEntry: Sendable, Equatable {
    /// The headings of Keep a Changelog, in the order in which they are written.
    enum Section: String, Sendable, CaseIterable {
        case added = "Added"
        case changed = "Changed"
        case deprecated = "Deprecated"
        case removed = "Removed"
        case fixed = "Fixed"
        case security = "Security"
    }

    let section: Section
    let text: String
    /// Marked by `!` in the subject or `BREAKING CHANGE:` in the body.
    package let isBreaking: Bool
    /// A new feature, which asks for a minor version.
    let isFeature: Bool

    /// `nil` for what is not worth a line: merges, releases, and conventional commits that change nothing for users.
    package init?(_ commit: GitCommit) {
        guard !commit.isMerge, !Self.isHousekeeping(commit.subject) else { return nil }
        guard let conventional = ConventionalSubject(commit.subject) else {
            self.init(
                section: .changed, text: commit.subject, isBreaking: Self.saysBreaking(commit.body), isFeature: false)
            return
        }
        let isBreaking = conventional.isBreaking || Self.saysBreaking(commit.body)
        let section: Section
        switch conventional.type {
        case "feat", "feature": section = .added
        case "fix", "bugfix", "hotfix": section = .fixed
        case "perf", "refactor", "change", "revert": section = .changed
        case "deprecate": section = .deprecated
        case "remove": section = .removed
        case "security": section = .security
        default:
            // docs, test, build, ci, chore, style: nothing for users, unless it breaks them.
            guard isBreaking else { return nil }
            section = .changed
        }
        let scope = conventional.scope.map { "\($0): " } ?? ""
        self.init(
            section: section, text: scope + conventional.description, isBreaking: isBreaking,
            isFeature: section == .added)
    }

    private init(section: Section, text: String, isBreaking: Bool, isFeature: Bool) {
        self.section = section
        let sentence = text.prefix(1).uppercased() + text.dropFirst()
        self.text = isBreaking ? "**Breaking:** \(sentence)" : sentence
        self.isBreaking = isBreaking
        self.isFeature = isFeature
    }

    private static func saysBreaking(_ body: String) -> Bool {
        body.lines.contains { $0.hasPrefix("BREAKING CHANGE:") || $0.hasPrefix("BREAKING-CHANGE:") }
    }

    private static func isHousekeeping(_ subject: String) -> Bool {
        if subject.hasPrefix("fixup!") || subject.hasPrefix("squash!") || subject.hasPrefix("Merge ") { return true }
        return subject.hasPrefix("Release ") && ReleaseTag(String(subject.dropFirst("Release ".count))) != nil
    }
}

/// The first line of a Conventional Commits 1.0.0 message: `type(scope)!: description`.
struct ConventionalSubject: Equatable {
    /// Lowercase.
    let type: String
    let scope: String?
    let isBreaking: Bool
    let description: String

    private static let types: Set = [
        "feat", "feature", "fix", "bugfix", "hotfix", "perf", "refactor", "change", "revert", "deprecate", "remove",
        "security", "docs", "doc", "test", "tests", "build", "ci", "chore", "style", "release", "deps",
    ]

    /// Only the usual types count: `Parser: read tabs` names a module, not a type.
    init?(_ subject: String) {
        guard let colon = subject.firstIndex(of: ":") else { return nil }
        var head = subject[..<colon]
        isBreaking = head.hasSuffix("!")
        if isBreaking { head = head.dropLast() }
        if head.hasSuffix(")"), let open = head.firstIndex(of: "(") {
            scope = String(head[head.index(after: open)...].dropLast())
            head = head[..<open]
        } else {
            scope = nil
        }
        type = head.lowercased()
        description = String(subject[subject.index(after: colon)...].drop(while: \.isWhitespace))
        guard Self.types.contains(type), head == type, !description.isEmpty else { return nil }
    }
}

extension VersionBump {
    /// What these commits ask for after `version`; `nil` when none of them is worth a release. Below 1.0.0 a breaking
    /// change raises the minor number.
    static func wanted(by commits: [GitCommit], after version: SemanticVersion) -> VersionBump? {
        let entries = commits.compactMap { CommitEntry($0) }
        guard !entries.isEmpty else { return nil }
        if entries.contains(where: \.isBreaking) { return version.isInitialDevelopment ? .minor : .major }
        return entries.contains(where: \.isFeature) ? .minor : .patch
    }
}
