import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing

@testable import StepActions

@Suite struct ReadinessTests {
    @Test(
        "The line of a ready service may have colors and links",
        arguments: [
            ("ready on port", "ready on port"),
            ("\u{1B}[32mready\u{1B}[0m on \u{1B}[1;4mport\u{1B}[m", "ready on port"),
            ("\u{1B}]8;;http://localhost\u{7}ready\u{1B}]8;;\u{1B}\\ on port", "ready on port"),
            ("ready\u{1B}_bk;t=1\u{7} on port", "ready on port"),
            ("\u{1B}[2K\rready on port\u{1B}", "\rready on port"),
        ])
    func escapesAreIgnored(text: String, plain: String) {
        let search = LineSearch(plain)
        search.receive(Array(text.utf8))
        #expect(search.isFound)
    }

    @Test("A service that has printed its line and does not listen at its port is not ready")
    func lineBeforePort() throws {
        let port = try #require(try Port.chosen(for: Settings(["port": .integer(0)])))
        let settings = Settings(["ready-line": .string("up"), "ready-timeout": .string("500ms")])
        let readiness = Readiness(settings, port: port, environment: [:], nil)
        readiness.line?.receive(Array("up\n".utf8))
        let command = Command("/bin/sleep", ["600"], environment: [:], directory: "/")
        let service = BackgroundProcess(
            command, by: ChildRunner(), cancellation: Cancellation(), log: nil, receive: { _ in }, cleanUp: {},
            didEnd: { _ in })
        defer { service.stop() }
        let error = #expect(throws: OperationFailure.self) {
            try readiness.wait(for: service, in: StepContext.fixture())
        }
        #expect(error?.message.contains("within 500ms: no connection to port \(port)") == true, "\(error as Any)")
    }

    @Test("The timeout of the step or lane and a cancellation also end the wait")
    func interrupted() throws {
        func cause(deadline: Deadline?, _ cancellation: Cancellation) -> OperationFailure.Cause? {
            let context = StepContext.fixture(cancellation: cancellation, deadline: deadline)
            let command = Command("/bin/sleep", ["600"], environment: [:], directory: "/")
            let service = BackgroundProcess(
                command, by: ChildRunner(), cancellation: Cancellation(), log: nil, receive: { _ in }, cleanUp: {},
                didEnd: { _ in })
            defer { service.stop() }
            let settings = Settings(["ready-line": .string("never"), "ready-timeout": .string("1h")])
            let error = #expect(throws: OperationFailure.self) {
                try Readiness(settings, port: nil, environment: [:], nil).wait(for: service, in: context)
            }
            return error?.cause
        }
        let length = Duration.milliseconds(100)
        let deadline = Deadline(moment: Monotonic.now + length, length: length)
        #expect(cause(deadline: deadline, Cancellation()) == .timedOut(after: length))
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(cause(deadline: nil, cancellation) == .cancelled)
    }
}
