import Expressions
import LaneModel
import TestSupport
import Testing

@testable import Actions
@testable import OperatingSystem

@Suite struct StepOutputFileTests {
    @Test(arguments: [
        ("", [:]), ("\n\n", [:]), ("a=b", ["a": "b"]), ("a=b\r\nc=d e=f \r\n", ["a": "b", "c": "d e=f "]),
        ("a=\na=2\n", ["a": "2"]), ("a<<E\nE\n", ["a": ""]),
        ("a<<=\nx=1\n\ny\n=\nb=<<E\n", ["a": "x=1\n\ny", "b": "<<E"]),
        ("a=\u{e9}\u{301}\n", ["a": "\u{e9}\u{301}"]),
    ])
    func commandsWriteNamesAndValues(_ text: String, _ outputs: [String: String]) throws {
        #expect(try StepOutputFile.parse(Array(text.utf8)) == outputs.mapValues { .string($0) })
    }

    @Test(arguments: [
        ("a=1\nwrong", "line 2 of LANE_OUTPUT: expected 'name=value', found 'wrong'"),
        ("a = 1", "line 1 of LANE_OUTPUT: expected 'name=value' without spaces, found 'a ='"),
        (" a=1", "line 1 of LANE_OUTPUT: expected 'name=value' without spaces, found ' a='"),
        ("=1", "line 1 of LANE_OUTPUT: expected 'name=value', found '=1'"),
        ("a<<E\nx\nEE\n", "line 1 of LANE_OUTPUT: expected a line 'E' at the end of the value, found none"),
        ("a<<\n\n", "line 1 of LANE_OUTPUT: expected a word after '<<', found none"),
    ])
    func invalidLinesAreReportedWithTheirNumber(_ text: String, _ message: String) {
        #expect(throws: OperationFailure(message)) { try StepOutputFile.parse(Array(text.utf8)) }
    }

    @Test func tooLongOutputsAreRejected() throws {
        let directory = try TemporaryDirectory()
        let file = try StepOutputFile(below: directory.path, for: [:])
        try writeFile(Array(repeating: UInt8(ascii: "x"), count: StepOutputFile.maximumSize + 1), to: file.path)
        #expect(
            throws: OperationFailure(
                "LANE_OUTPUT holds more than 1024 KiB\nhint: write it to a file, and output the file's name")
        ) {
            try file.read()
        }
        try removeTree(file.path)
        #expect(try file.read().isEmpty)
        file.remove()
        #expect(try listDirectory(StepScratchFile.directory(below: directory.path)).isEmpty)
    }

    @Test func theFileIsInTMPDIRIfTheRootIsReadOnly() throws {
        let directory = try TemporaryDirectory()
        let file = try StepOutputFile(below: "/proc", for: ["TMPDIR": directory.path])
        #expect(file.path.hasPrefix("\(directory.path)/lane-scratch-output."))
        file.remove()
        #expect(try listDirectory(directory.path).isEmpty)
    }
}
