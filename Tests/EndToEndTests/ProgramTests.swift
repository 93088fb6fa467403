import OperatingSystem
import TestSupport
import Testing

@Suite(.startsPrograms)
struct ProgramTests {
    /// The searches of `Text` keep the engine for regular expressions, which takes 1.3 MB, out of `lane`. A file that
    /// doesn't import `Text` uses those of `_StringProcessing`, which have the same names.
    @Test func theProgramUsesNoRegularExpressions() async throws {
        let search = Command(
            "grep", ["-c", "17_StringProcessing", BuiltTool.lane.path], environment: plainEnvironment())
        #expect(try await capture(search).text == "0\n", "import Text in each file that searches in strings")
    }
}
