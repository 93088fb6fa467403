import Archives
import Files
import JSON
import LaneRun

/// What has been decided and is now done step by step: enough to finish it in another process.
struct TransactionJournal: Sendable, Equatable {
    struct Tag: Sendable, Equatable {
        let name: String
        /// The tag object, which exists but has no name yet.
        let object: String
    }

    /// The full name of the branch that moves, `refs/heads/main`; `nil` when none does.
    let branch: String?
    let old: String
    let new: String
    let tag: Tag?
    /// Files below the private package that move to the same place below the user's.
    let kept: [String]
    /// The steps that made it, for a run that goes on.
    var record: TransactionRecord?
    /// A Boolean value that indicates whether a release is taken back: its tag and its files go.
    var takesBack = false

    var movesBranch: Bool { branch != nil && old != new }

    /// `release '0.2.0'`
    var title: String { tag.map { "release '\($0.name)'" } ?? "transaction" }

    /// The input of `git update-ref --stdin`: all names together, each only if it still is what it was.
    var refUpdates: String {
        var lines = ["start"]
        if let tag { lines.append("\(takesBack ? "delete" : "create") refs/tags/\(tag.name) \(tag.object)") }
        if movesBranch, let branch { lines.append("update \(branch) \(new) \(old)") }
        return (lines + ["prepare", "commit"]).map { $0 + "\n" }.joined()
    }

    func write(to place: TransactionPlace) throws(StepFailure) {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            if let branch { writer.member("branch", branch) }
            writer.member("old", old)
            writer.member("new", new)
            if let tag {
                writer.member("tag", tag.name)
                writer.member("object", tag.object)
            }
            writer.member("kept", kept)
            if takesBack { writer.member("takesBack", true) }
            if let record { record.write(to: &writer) }
        }
        let text = writer.text
        // On disk for good: a machine that stops right after the names have moved must not have lost what tells of it.
        try onArchives { () throws(ArchiveError) in
            try OutputFile.write(Array(refUpdates.utf8), to: place.refs)
            try OutputFile.write(Array(text.utf8), to: place.journal)
        }
    }

    /// Reads the journal of the transaction that is open; `nil` when nothing was decided.
    static func read(from place: TransactionPlace) throws(StepFailure) -> TransactionJournal? {
        guard fileExists(place.journal) else { return nil }
        let bytes = try onFiles { () throws(FileError) in try readFile(place.journal) }
        guard let journal = TransactionJournal(bytes) else {
            throw StepFailure(
                "'\(place.journal)' is damaged, so it is unknown whether the interrupted release is real\n"
                    + "hint: look for its tag and commit, then remove '\(place.folder)'")
        }
        return journal
    }

    /// Reads the journal of the last transaction that became real; `nil` when there is none that can be read.
    static func readReal(from place: TransactionPlace) -> TransactionJournal? {
        (try? readFile(place.real)).flatMap { TransactionJournal($0) }
    }

    private init?(_ bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), let old = node["old"]?.string, let new = node["new"]?.string
        else { return nil }
        self.old = old
        self.new = new
        branch = node["branch"]?.string
        kept = node["kept"]?.array?.compactMap(\.string) ?? []
        takesBack = node["takesBack"]?.bool ?? false
        record = TransactionRecord(node)
        if let name = node["tag"]?.string, let object = node["object"]?.string {
            tag = Tag(name: name, object: object)
        } else {
            tag = nil
        }
    }

    init(
        branch: String?, old: String, new: String, tag: Tag?, kept: [String], record: TransactionRecord? = nil,
        takesBack: Bool = false
    ) {
        self.branch = branch
        self.old = old
        self.new = new
        self.tag = tag
        self.kept = kept
        self.record = record
        self.takesBack = takesBack
    }
}
