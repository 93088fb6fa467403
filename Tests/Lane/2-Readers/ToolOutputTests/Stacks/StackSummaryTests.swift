import Events
import Testing
import ToolOutput

@Suite struct StackSummaryTests {
    private static let test = TestID(library: .xctest, module: "App", suite: "ATests", name: "testOne")

    private static func summary(_ stacks: [[String]]) -> StackSummary {
        let threads = stacks.map { names in
            ThreadStack(
                names.map { StackFrame($0, library: $0.hasPrefix("App") ? "/p/debug/App.xctest" : "/lib/libc.so") })
        }
        return StackSummary(threads, products: "/p/debug", root: "/p", tests: [test])
    }

    /// The frames between two functions of the package are folded to the function that the package called.
    @Test func framesOfLibrariesAreFolded() {
        let lines = Self.summary([["futex", "sem_wait", "App.wait", "map", "App.ATests.testOne()", "main"]]).lines
        #expect(
            lines == [
                "a thread in the test:", "  … sem_wait and 1 more", "> App.wait", "  … map", "> App.ATests.testOne()",
            ])
    }

    @Test func theThreadsOfTheTestAreFirst() {
        let lines = Self.summary([["App.other"], ["App.ATests.testOne()"], ["idle"]]).lines
        #expect(
            lines == [
                "a thread in the test:", "> App.ATests.testOne()", "a thread beside the test:", "  App.other",
                "1 other thread is outside the package's code",
            ])
    }

    /// The class of an inherited method is the superclass, unless another test has exactly this name.
    @Test func inheritedTestsAreFound() {
        #expect(Self.summary([["App.Base.testOne()"]]).isInTest)
        #expect(
            Self.summary([["App.Base.testOne()"], ["App.ATests.testOne()"]]).lines.contains("  App.Base.testOne()"))
        #expect(!Self.summary([["App.Base.testOneMore()"]]).isInTest)
    }

    /// A recursion of any depth, and any number of threads, have a short text.
    @Test func longStacksAreCut() {
        let deep = Array(repeating: "App.again", count: 250) + ["App.ATests.testOne()"]
        let lines = Self.summary([deep] + (0..<40).map { ["App.worker\($0)"] }).lines
        #expect(lines.contains("  … 235 more frames"))
        #expect(lines.contains("> App.ATests.testOne()"))
        #expect(lines.contains("33 more threads in the package's code"))
        #expect(lines.count < 50)
    }

    @Test func generatedCodeIsNotThePackages() {
        #expect(
            Self.summary([["App.__allTests", "AppPackageTests.Runner.main()"]]).lines.last?.hasPrefix("1 other") == true
        )
    }
}
