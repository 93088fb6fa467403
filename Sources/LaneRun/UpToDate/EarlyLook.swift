import Files
import Processes
import Synchronization
import Threads

/// A look at the files that steps read and made before, on a thread of its own, while lane files are still being read.
///
/// It counts as taken when the run began. Whoever could not begin at once, or has repaired something first, does without.
package final class EarlyLook: Sendable {
    /// In bytes of records: fewer are looked at by the steps themselves in the time that a thread needs to start.
    private static let leastRecords = 1 << 15

    private final class Work: Sendable {
        let isOver = Atomic(false)
        let ledger = Monitor<StepLedger?>(nil)
    }

    private let path: String
    /// The records' file before they were read.
    private let stamp: FileStamp
    private let work: Work
    private let thread: Thread

    /// Begins to look; `nil` where that would make nothing faster.
    ///
    /// - Parameter processors: How many threads the system runs at once.
    package init?(root: String, processors: @autoclosure () -> Int) {
        path = KnownRecords.path(below: root)
        guard let stamp = FileStamp(path), stamp.size >= Self.leastRecords, processors() > 1 else { return nil }
        let work = Work()
        // Signals are for the thread that watches for them, which is not there yet: one that came here would end `lane`.
        let thread = Thread.withoutSignals {
            Thread.beside {
                let ledger = StepLedger(root: root, looksAhead: { !work.isOver.load(ordering: .relaxed) })
                work.ledger.withLock { $0 = ledger }
                work.ledger.signal()
            }
        }
        guard let thread else { return nil }
        (self.stamp, self.work, self.thread) = (stamp, work, thread)
    }

    deinit {
        work.isOver.store(true, ordering: .relaxed)
        thread.join()
    }

    /// Looks no further, and gives the records with what was seen; `nil` when somebody has written others since.
    func ledger() -> StepLedger? {
        work.isOver.store(true, ordering: .relaxed)
        let ledger = work.ledger.wait { $0 }
        return FileStamp(path) == stamp ? ledger : nil
    }
}
