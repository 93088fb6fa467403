import Files
import LaneModel

/// Makes a journal real in one shell, which goes on when `lane` is gone. Every line can be run twice.
struct TransactionFinish {
    /// The status of the script when no name has moved.
    static let nothingDone: Int32 = 3

    let place: TransactionPlace
    let journal: TransactionJournal

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
                    + " || { cat \(word(place.folder))/log >&2; exit \(Self.nothingDone); }")
        }
        if journal.movesBranch {
            steps.append(
                "GIT_INDEX_FILE=\(word(place.index)) git read-tree -m -u \(journal.old) \(journal.new) || exit 1")
            steps.append("mv -f \(word(place.index)) \(word(place.userIndex)) || exit 1")
        }
        steps.append("rm -f \(word(place.userIndexLock)) || exit 1")
        for path in journal.kept {
            let target = "\(place.root)/\(path)"
            steps.append(
                "mkdir -p \(word(parentDirectory(target))) && mv -f \(word("\(place.package)/\(path)")) \(word(target))"
                    + " || exit 1")
        }
        steps.append("rm -f \(word(place.journal)) || exit 1")
        return steps
    }

    private var message: String { "lane: \(journal.tag?.name ?? "transaction")" }

    private func word(_ text: String) -> String { ShellWords.quoted(text) }
}
