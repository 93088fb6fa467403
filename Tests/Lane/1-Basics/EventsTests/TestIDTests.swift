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

    /// Swift Testing reports a name in backquotes as the display name, too.
    @Test(
        arguments: [
            ("`two words`()", "two words", nil), ("`two words`(_:)", "two words", nil), ("`two words`()", "Two", "Two"),
            ("`two words`()", "two", "two"), ("plain()", "plain", "plain"), ("plain()", nil, nil),
        ] as [(String, String?, String?)])
    func aTitleDoesNotRepeatTheName(_ name: String, _ displayName: String?, _ title: String?) {
        let id = TestID(library: .swiftTesting, module: "App", suite: "", name: name)
        #expect(TestInfo(id: id, displayName: displayName).title == title)
    }
}
