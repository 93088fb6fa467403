import Events
import TestSupport
import Testing

@testable import TestEngine

@Suite struct MissingSourcesTests {
    private let missing = MissingSources(root: "/no/such/package")

    private func text(_ text: String, _ sources: MissingSources) -> String? {
        guard case .test(.issue(let issue)) = sources.explained(.test(.issue(TestIssue(test: nil, text: text)))) else {
            return nil
        }
        return issue.text
    }

    @Test func aFailureSaysWhatTheTestMissed() {
        let error = "Caught error: NSFilePath=/no/such/package/Tests/a.json, NSURL=file:///no/such/package/Tests/a.json"
        #expect(
            text(error, missing) == """
                \(error)
                note: '/no/such/package/Tests/a.json' is not on this machine; the tests were built in '/no/such/package'
                hint: run them, packed with '--with-sources', in that directory, or read resources with 'Bundle.module'
                """)
    }

    @Test(arguments: [
        "a failure without a path", "at /no/such/package/Tests/A.swift:3:5", "/another/package/Tests/a.json",
    ])
    func otherFailuresStay(_ failure: String) { #expect(text(failure, missing) == failure) }

    @Test func nothingIsMissingWhereThePackageIs() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("", to: "Package.swift")
        let error = "no file \(directory.path)/Tests/a.json"
        #expect(text(error, MissingSources(root: directory.path)) == error)
    }
}
