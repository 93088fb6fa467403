import Files
import Processes
import TestSupport
import Testing

/// The form of commit subjects in CONTRIBUTING.md.
enum CommitSubject {
    /// Returns a description of the first violation, or `nil` if there is none.
    static func violation(_ subject: String) -> String? {
        if subject.count > 72 { return "\(subject.count) characters" }
        // `lane release` and `git revert` create commits with other subjects.
        if subject.hasPrefix("Release ") || subject.hasPrefix("Revert ") { return nil }
        guard let colon = subject.firstRange(of: ": "), colon.lowerBound > subject.startIndex else {
            return "no 'Module: '"
        }
        if subject[colon.upperBound...].first?.isUppercase != true { return "no capital letter after 'Module: '" }
        return subject.hasSuffix(".") ? "a full stop" : nil
    }
}

@Suite("Commit subjects have the form of CONTRIBUTING.md")
struct CommitSubjectTests {
    /// The last commit before this test existed.
    private static let base = "aaf32ca4ee7b2deaf117923ac280a5fccbf8085d"

    /// The subjects of commits that are too long and could not be changed, because others were based on them.
    private static let exceptions: Set = [
        "Reports: Mark changed lines on the coverage page, and list uncovered ones"
    ]

    /// Returns the subjects since `base`, or `nil` if the history doesn't contain it, as in a shallow clone or an archive.
    private static let subjects: [String]? = {
        guard git("merge-base", "--is-ancestor", base, "HEAD") != nil else { return nil }
        return git("log", "--no-merges", "--format=%s", "\(base)..HEAD")?.split(separator: "\n").map(String.init)
    }()

    private static func git(_ words: String...) -> String? {
        let command = Command("git", ["-C", Repository.root] + words, environment: processEnvironment())
        guard let run = try? ChildRunner().capture(command), run.report.succeeded else { return nil }
        return String(decoding: run.standardOutput, as: UTF8.self)
    }

    @Test(.enabled(if: subjects != nil, "the history since \(base) is not available"))
    func haveTheForm() {
        let violations = (Self.subjects ?? []).filter { !Self.exceptions.contains($0) }.compactMap { subject in
            CommitSubject.violation(subject).map { "\(subject): \($0)" }
        }
        #expect(violations == [])
    }

    @Test(arguments: [
        ("Releasing: Report a failed build after the first attempt", nil), ("Release 1.2.3", nil),
        ("ASCII, Dates: Rewrite comments", nil), ("Report a failed build", "no 'Module: '"),
        (": Report", "no 'Module: '"), ("JSON: report errors", "no capital letter after 'Module: '"),
        ("JSON: Report errors.", "a full stop"), ("JSON: R" + String(repeating: "x", count: 66), "73 characters"),
    ])
    func violations(subject: String, expected: String?) {
        #expect(CommitSubject.violation(subject) == expected)
    }
}
