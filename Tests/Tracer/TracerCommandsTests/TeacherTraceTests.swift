import OperatingSystem
import TestSupport
import Testing
import Text

/// Recorded traces of children, with the verdict of a teacher.
@Suite struct TeacherTraceTests {
    /// A trace with its verdict, and with a part of a reason that must be printed.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let modes: [String]
        let isAccepted: Bool
        let reason: String?

        init(_ name: String, _ modes: [String], _ isAccepted: Bool, _ reason: String? = nil) {
            (self.name, self.modes, self.isAccepted, self.reason) = (name, modes, isAccepted, reason)
        }

        var testDescription: String { name }
    }

    private static let both = ["free", "ordered"]

    static let cases = [
        Case("D-in-one-stroke", both, true),
        Case("E-as-L-and-bars", both, true),
        Case("O-from-the-foot", ["free"], true, "not drawn from its start to its end"),
        Case("O-from-the-foot", ["ordered"], false, "not drawn from its start to its end"),
        Case("O-with-umlaut", both, false, "strokes are beside the letter"),
        Case("R-in-two-strokes", both, true),
        Case("a-accepted-as-o", both, false, "beside the letter"),
        Case("coloured-in-a", both, false, "goes back and forth"),
        Case("d-bowl-clockwise", ["free"], true, "not drawn from its start to its end"),
        Case("dotted-A", both, false, "only drawn to"),
        Case("hatched-O", both, false, "goes back and forth"),
        Case("ordered-lift-b", both, true),
        Case("ordered-lift-n", both, true),
        Case("ordered-lift-r", both, true),
        Case("ordered-other-order-5", both, true),
        Case("ordered-other-order-t", both, true),
        Case("rest-of-5-seconds", both, true),
    ]

    @Test(arguments: cases) func theVerdictIsThatOfATeacher(_ trace: Case) {
        let file = "\(parentDirectory(#filePath))/Traces/\(trace.name).json"
        for mode in trace.modes {
            let scored = demo("score", file, "--mode", mode)
            #expect(scored.status == (trace.isAccepted ? 0 : 1), "\(mode): \(scored.output)\(scored.errors)")
            #expect(scored.output.hasPrefix(trace.isAccepted ? "accepted " : "not accepted "), "\(mode)")
            if let reason = trace.reason { #expect(scored.output.contains(reason), "\(mode): \(scored.output)") }
        }
    }

    @Test func everyTraceIsACase() throws {
        let files = try listDirectory("\(parentDirectory(#filePath))/Traces")
        #expect(Set(files) == Set(Self.cases.map { "\($0.name).json" }) && files.count == 16)
    }
}
