import Archives
import Git
import OperatingSystem
import Text
import Versioning

/// A check of provenance files against the files that they name, and against commit and tag.
struct ProvenanceVerification {
    private(set) var row = VerificationReport.Row("provenance")
    /// The names of the files of each provenance file.
    private(set) var subjects: [String: Set<String>] = [:]
    private(set) var statements: [(path: String, statement: ProvenanceStatement)] = []
    private let only: String?

    /// Reads the provenance files.
    ///
    /// - Parameters:
    ///   - documents: The names of the files to read if they have the extension of provenance files.
    ///   - only: The only file to verify, or `nil` for all. Provenance that doesn't name it is ignored.
    init(_ documents: [String], only: String?, of files: ReceivedFiles) {
        self.only = only
        for path in documents where path.hasSuffix(ProvenanceStatement.suffix) {
            guard let bytes = try? readFile(files.path(of: path)),
                let statement = ProvenanceStatement(reading: bytes)
            else {
                if only == nil || only == path {
                    row.problems.append("'\(path)' is no provenance of 'package': expected an in-toto statement (v1)")
                }
                continue
            }
            let names = Set(statement.subjects.map { sibling($0.name, of: path) })
            if let only, !names.contains(only), only != path { continue }
            statements.append((path, statement))
            subjects[path] = names
        }
    }

    mutating func compare(
        _ files: inout ReceivedFiles, except damaged: Set<String>, tag: String?, checkout: Git?
    ) throws(OperationFailure) {
        for (path, statement) in statements {
            for subject in statement.subjects {
                let name = sibling(subject.name, of: path)
                guard only == nil || only == name, !damaged.contains(name), !damaged.contains(path) else { continue }
                if let problem = problem(with: name, subject.sha256, in: path, &files) { row.problems.append(problem) }
            }
            guard !damaged.contains(path) else { continue }
            let origin = try origin(of: statement, in: path, tag: tag, checkout)
            let name = "\(statement.name ?? "version") \(statement.version)"
            let more = statements.count > 1 ? ", and \(count(statements.count - 1, "other statement"))" : ""
            row.pass("\(name) from the commit \(statement.commit.prefix(12))\(origin)\(more)")
        }
    }

    /// Adds a problem if no provenance names a tag's commit.
    mutating func require(_ tag: String) {
        if statements.isEmpty { row.problems.append("no provenance names the commit of the tag '\(tag)'") }
    }

    private func problem(
        with name: String, _ sum: String, in path: String, _ files: inout ReceivedFiles
    ) -> String? {
        guard files.contains(name) else { return "'\(name)' is missing, but '\(path)' names it" }
        do throws(ArchiveError) {
            let found = try files.digest(of: name)
            return found == sum
                ? nil : "'\(path)' is not the provenance of '\(name)': expected the SHA-256 \(sum), found \(found)"
        } catch {
            return error.description
        }
    }

    /// Compares commit and tag, and returns a description of them.
    private mutating func origin(
        of statement: ProvenanceStatement, in path: String, tag: String?, _ checkout: Git?
    ) throws(OperationFailure) -> String {
        if let tag {
            guard ReleaseTag(tag)?.version.description == statement.version else {
                row.problems.append("'\(path)' is of version \(statement.version), not of the tag '\(tag)'")
                return ""
            }
        }
        let published = statement.origin.map { " of \($0)" } ?? ""
        guard let checkout, let source = try SourceCheckout.find(checkout, of: statement) else { return published }
        switch try source.tag(of: statement, named: tag) {
        case .found(let name): return "\(published), which has the tag '\(name)'"
        case .none: return published
        case .problem(let problem):
            row.problems.append("'\(path)': \(problem)")
            return published
        }
    }
}

/// A checkout of the repository that a statement names.
private struct SourceCheckout {
    enum Tag {
        case found(String)
        case none
        case problem(String)
    }

    let git: Git
    let hasCommit: Bool

    /// Returns the checkout, or `nil` if it is not one of the statement's repository.
    static func find(_ git: Git, of statement: ProvenanceStatement) throws(OperationFailure) -> SourceCheckout? {
        guard try git.attempt(["rev-parse", "--git-dir"]).report.succeeded else { return nil }
        if try git.contains(commit: statement.commit) { return SourceCheckout(git: git, hasCommit: true) }
        guard let origin = statement.origin, try git.origin().flatMap(PackageRecord.published) == origin else {
            return nil
        }
        return SourceCheckout(git: git, hasCommit: false)
    }

    /// Returns the tag of the statement's version. It must be at the statement's commit.
    func tag(of statement: ProvenanceStatement, named name: String?) throws(OperationFailure) -> Tag {
        let format = "--format=%(objectname) %(*objectname) %(refname:lstrip=2)"
        var tags: [(name: String, commit: String)] = []
        for line in try git.text(["for-each-ref", format, "refs/tags"]).lines {
            let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3, let tag = ReleaseTag(fields[2]), tag.version.description == statement.version,
                name == nil || name == tag.name
            else { continue }
            tags.append((tag.name, fields[1].isEmpty ? fields[0] : fields[1]))
        }
        if let match = tags.first(where: { $0.commit == statement.commit }) { return .found(match.name) }
        let commit = statement.commit.prefix(12)
        // In a repository of several packages, other packages may have the same version.
        let own = statement.name.map(PackageOrder.fileName)
        func isOwn(_ tag: String) -> Bool {
            let prefix = ReleaseTag(tag)?.prefix.lowercased() ?? ""
            return name != nil || ["", "v"].contains(prefix) || own.map { prefix.contains($0) } ?? true
        }
        if let other = tags.first(where: { isOwn($0.name) }) {
            return .problem(
                "it names the commit \(commit), but the tag '\(other.name)' is at \(other.commit.prefix(12))")
        }
        if let name { return .problem("this checkout has no tag '\(name)'\nhint: git fetch --tags") }
        return hasCommit ? .none : .problem("this checkout has no commit \(commit)\nhint: git fetch --tags")
    }
}
