import Diagnostics
import Files
import LaneModel
import LaneRun
import Processes

/// Makes a journal real in one shell, which goes on when `lane` is gone. Every line can be run twice.
struct TransactionFinish {
    let place: TransactionPlace
    let journal: TransactionJournal

    /// Makes it real. Nothing of the transaction goes as long as something of it is still to be done.
    func run(_ git: Git) throws(StepFailure) {
        let run = try git.inside(place.repository.topLevel).shell(script)
        if run.report.succeeded {
            // Git warns of a lock that it cannot remove, and succeeds.
            if !run.errorText.isEmpty {
                try? ReferenceLocks(place: place, journal: journal, patience: 0).removeStale()
            }
            return
        }
        // It was cut off: when a name has moved, the release is real, and what is left can be done now.
        let recovery = TransactionRecovery(place: place, git: git)
        let outcome: TransactionRecovery.Outcome
        do throws(StepFailure) {
            outcome = try recovery.run()
        } catch {
            throw unfinished(because: error, hasBegun: try? recovery.hasBegun(journal))
        }
        guard case .dropped = outcome else { return }
        throw StepFailure("branch and tag could not be moved: \(run.errorText.lines.joined(separator: "\n"))")
    }

    private func unfinished(because cause: StepFailure, hasBegun: Bool?) -> StepFailure {
        let (verb, work) = journal.takesBack ? ("is taken back", "gone") : ("is real", "in place")
        let state =
            switch hasBegun {
            case true?: "the \(journal.title) \(verb), but not all of it is \(work)"
            case false?: "the \(journal.title) is as before, but not all that was prepared is removed"
            case nil: "it is unknown whether the \(journal.title) \(verb)"
            }
        let files = (["the files of the checkout"] + journal.kept.map { "'\($0)'" })
        let rest = hasBegun == true ? "\nleft to do: \(list(files, joinedBy: "and"))" : ""
        return StepFailure(
            status: cause.status, "\(state): \(cause.message)\(rest)\nhint: the next run of any lane here finishes it")
    }

    /// A signal for `lane` must not stop it halfway, and nobody may be left to read what it prints.
    var script: String {
        (["trap '' HUP INT TERM PIPE", "echo $$ > \(word(place.finisher))"] + steps).joined(separator: "\n")
            + "\nexit 0\n"
    }

    /// In order; the first makes the transaction real.
    var steps: [String] {
        var steps: [String] = []
        if journal.movesBranch || journal.tag != nil {
            steps.append(
                "git update-ref -m \(word(message)) --stdin < \(word(place.refs)) > \(word(place.folder))/log"
                    + " || { cat \(word(place.folder))/log >&2; exit 1; }")
        }
        if journal.movesBranch {
            steps.append(
                "GIT_INDEX_FILE=\(word(place.index)) git read-tree -m -u \(journal.old) \(journal.new) || exit 1")
            steps.append("mv -f \(word(place.index)) \(word(place.userIndex)) || exit 1")
        }
        steps.append("rm -f \(word(place.userIndexLock)) || exit 1")
        return steps + fileSteps + endSteps
    }

    /// Moves finished files into place, or takes those of a release back.
    var fileSteps: [String] {
        journal.kept.map { path in
            let target = "\(place.root)/\(path)"
            if journal.takesBack { return "rm -f \(word(target)) || exit 1" }
            let source = word("\(place.package)/\(path)")
            return "{ test ! -e \(source) || { mkdir -p \(word(parentDirectory(target)))"
                + " && mv -f \(source) \(word(target)); }; } || exit 1"
        }
    }

    /// Notes that all is done, and keeps the journal for those who go on from the release.
    var endSteps: [String] {
        [
            ": > \(word(place.done)) || exit 1",
            journal.takesBack
                ? "rm -f \(word(place.real)) \(word(place.journal)) || exit 1"
                : "mv -f \(word(place.journal)) \(word(place.real)) || exit 1",
        ]
    }

    private var message: String {
        (journal.takesBack ? "lane: take back " : "lane: ") + (journal.tag?.name ?? "transaction")
    }

    private func word(_ text: String) -> String { ShellWords.quoted(text) }
}
