import Events
import OperatingSystem
import Synchronization

/// The run of XCTest cases with the observer. The observer reports the results, and the text counts as output.
extension TestWorker {
    func runObserved(_ process: TestProcess, _ library: String) throws(TestEngineFailure) -> ExitReport {
        let tests = process.batch.items.map { run.tests[$0.test] }
        let records = XCTestRecords(root: root, worker: number, tests: tests)
        // The events in the text. They are used if the observer writes nothing.
        let text = Mutex<[TestEvent]>([])
        let report = try followingEvents(
            through: "observed", take: { records.consume($0, process.receive) },
            body: {
                pipe throws(TestEngineFailure) in
                let binary = binaries[process.batch.binary].path
                let session = XCTestObserver.Session(library: library, pipe: pipe.path, binary: binary)
                return try runXCTest(process, observedBy: session) { event in
                    pipe.catchUp()
                    if case .output = event { process.receive(event) } else { text.withLock { $0.append(event) } }
                }
            })
        if !records.hasBegun { for event in text.withLock({ $0 }) { process.receive(event) } }
        return report
    }
}
