import OperatingSystem
import Synchronization

/// A handler of SIGQUIT. For each signal, it prints the stacks of all test processes, until `end` is called.
final class QuitDumps: Sendable {
    private let handler = Mutex<QuitHandler?>(nil)
    private let threads = Mutex<[Thread]>([])

    /// Starts to handle the signal.
    init(of run: TestRun) {
        let added = QuitHandler.add { [weak self] in
            let thread = Thread { for process in run.processes { process.showStacks("running at SIGQUIT") } }
            if let thread { self?.threads.withLock { $0.append(thread) } }
        }
        handler.withLock { $0 = added }
    }

    /// Stops handling the signal, and waits until all stacks are printed.
    func end() {
        handler.withLock { $0.take() }?.remove()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}
