import Git
import LaneModel
import OperatingSystem
import Text

/// The application of a journal in one shell, which continues if `lane` is killed. All commands can be repeated.
struct TransactionFinish {
    let paths: TransactionPaths
    let journal: TransactionJournal

    /// Applies the journal. Keeps the files of the transaction until all changes are complete.
    func run(_ git: Git) throws(OperationFailure) {
        let run = try git.inside(paths.repository.topLevel).shell(script)
        if run.report.succeeded {
            // If git cannot remove a lock, it prints a warning and succeeds.
            if !run.errorText.isEmpty {
                try? ReferenceLocks(paths: paths, journal: journal, acquireTimeout: 0).removeStale()
            }
            return
        }
        // The shell failed or was killed. If a reference has moved, the release exists and must be completed.
        let recovery = TransactionRecovery(paths: paths, git: git)
        let outcome: TransactionRecovery.Outcome
        do throws(OperationFailure) {
            outcome = try recovery.run()
        } catch {
            throw unfinished(because: error, hasBegun: try? recovery.hasBegun(journal))
        }
        guard case .dropped = outcome else { return }
        throw OperationFailure("branch and tag could not be moved: \(run.errorText.lines.joined(separator: "\n"))")
    }

    private func unfinished(because cause: OperationFailure, hasBegun: Bool?) -> OperationFailure {
        let (verb, work) = journal.isReversal ? ("is undone", "removed") : ("exists", "in place")
        let state =
            switch hasBegun {
            case true?: "the \(journal.title) \(verb), but not all of it is \(work)"
            case false?: "the \(journal.title) is unchanged, but not all temporary files are removed"
            case nil: "it is unknown whether the \(journal.title) \(verb)"
            }
        let files = (["the files of the checkout"] + journal.kept.map { "'\($0)'" })
        let rest = hasBegun == true ? "\nremaining: \(list(files, joinedBy: "and"))" : ""
        return OperationFailure(
            status: cause.status, "\(state): \(cause.message)\(rest)\nhint: the next run of any lane completes it")
    }

    /// The script, which ignores the signals of a cancelled run and a closed output.
    var script: String {
        (["trap '' HUP INT TERM PIPE", "echo $$ > \(word(paths.finisher))"] + steps).joined(separator: "\n")
            + "\nexit 0\n"
    }

    /// The commands in order. The first one makes the release visible.
    var steps: [String] {
        var steps: [String] = []
        if journal.movesBranch || journal.tag != nil {
            steps.append(
                "git update-ref -m \(word(message)) --stdin < \(word(paths.refs)) > \(word(paths.directory))/log"
                    + " || { cat \(word(paths.directory))/log >&2; exit 1; }")
        }
        if journal.movesBranch {
            steps.append(
                "GIT_INDEX_FILE=\(word(paths.index)) git read-tree -m -u \(journal.old) \(journal.new) || exit 1")
            steps.append("mv -f \(word(paths.index)) \(word(paths.userIndex)) || exit 1")
        }
        steps.append("rm -f \(word(paths.userIndexLock)) || exit 1")
        return steps + fileSteps + endSteps
    }

    /// The commands that move created files to their destinations, or remove the files of an undone release.
    var fileSteps: [String] {
        journal.kept.map { path in
            let target = "\(paths.root)/\(path)"
            if journal.isReversal { return "rm -f \(word(target)) || exit 1" }
            let source = word("\(paths.package)/\(path)")
            return "{ test ! -e \(source) || { mkdir -p \(word(parentDirectory(target)))"
                + " && mv -f \(source) \(word(target)); }; } || exit 1"
        }
    }

    /// The commands that record the completion and keep the journal for later runs.
    var endSteps: [String] {
        [
            ": > \(word(paths.done)) || exit 1",
            journal.isReversal
                ? "rm -f \(word(paths.lastJournal)) \(word(paths.journal)) || exit 1"
                : "mv -f \(word(paths.journal)) \(word(paths.lastJournal)) || exit 1",
        ]
    }

    private var message: String {
        (journal.isReversal ? "lane: undo " : "lane: ") + (journal.tag?.name ?? "transaction")
    }

    private func word(_ text: String) -> String { ShellWords.quoted(text) }
}
