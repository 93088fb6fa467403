import Events
import Testing

@Suite struct TestIDTests {
    private static let texts = ["", "a", "b", "ab", "test number 1()", "test number 2()", "e\u{301}", "\u{E9}"]

    @Test func namesAreComparedByBytes() {
        var tests: Set<TestID> = []
        var suites: Set<SuiteID> = []
        for library in [TestLibrary.xctest, .swiftTesting] {
            for module in Self.texts {
                for suite in Self.texts {
                    for name in Self.texts {
                        let test = TestID(library: library, module: module, suite: suite, name: name)
                        #expect(tests.insert(test).inserted)
                        #expect(suites.insert(SuiteID(test)).inserted == name.isEmpty)
                    }
                    #expect(suites.contains(SuiteID(library: library, module: module, suite: suite)))
                }
            }
        }
        #expect(tests.contains(TestID(library: .xctest, module: "a", suite: "test number 1()", name: "ab")))
    }
}
