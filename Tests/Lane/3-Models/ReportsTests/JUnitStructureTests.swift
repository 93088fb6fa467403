import Events
import Reports
import Testing

/// Tests of elements and attributes against the schemas of Surefire and Jenkins's xUnit plugin.
@Suite struct JUnitStructureTests {
    private static let order = [
        "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError", "flakyError", "system-out",
    ]
    private static let attributes: [String: (required: Set<String>, allowed: Set<String>)] = [
        "testsuites": ([], ["name", "time", "tests", "failures", "errors"]),
        "testsuite": (["name", "tests", "failures", "errors", "skipped"], ["time", "timestamp", "file"]),
        "testcase": (["name", "time"], ["classname"]),
        "failure": (["type"], ["message"]), "error": (["type"], ["message"]), "skipped": ([], ["message"]),
        "rerunFailure": (["type"], ["message"]), "flakyFailure": (["type"], ["message"]),
        "rerunError": (["type"], ["message"]), "flakyError": (["type"], ["message"]),
        "stackTrace": ([], []), "system-out": ([], []),
    ]

    @Test func elementsAndAttributesAreValid() throws {
        let document = try XMLDocument(
            ReportFixture.text(of: try ReportFixture.events().dropLast() + retried()) { JUnitReport(write: $0) })
        for element in document.elements {
            let rule = try #require(Self.attributes[element.name], "unknown element <\(element.name)>")
            let names = Set(element.attributes.keys)
            #expect(rule.required.isSubset(of: names), "<\(element.name)> lacks \(rule.required.subtracting(names))")
            #expect(names.isSubset(of: rule.required.union(rule.allowed)), "<\(element.name)> has \(names)")
            switch element.name {
            case "testsuites": #expect(Set(element.children) == ["testsuite"])
            case "testsuite": #expect(Set(element.children).isSubset(of: ["testcase", "system-out"]))
            case "testcase":
                let places = try element.children.map { try #require(Self.order.firstIndex(of: $0)) }
                #expect(places == places.sorted())
                #expect(element.children.count { ["failure", "error", "skipped"].contains($0) } <= 1)
            case "rerunFailure", "rerunError", "flakyFailure", "flakyError":
                #expect(element.children.first == "stackTrace")
            default: #expect(element.children.isEmpty)
            }
        }
    }

    @Test func totalsMatchTheElements() throws {
        let document = try XMLDocument(ReportFixture.text(of: try ReportFixture.events()) { JUnitReport(write: $0) })
        let suites = document.all("testsuite")
        for (attribute, element) in [
            ("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
        ] {
            #expect(
                suites.compactMap { $0.attributes[attribute].flatMap { Int($0) } }.reduce(0, +)
                    == document.all(element).count)
        }
        // Two of them are failures outside any test.
        #expect(document.all("testcase").count == 14 + 2)
    }

    /// Returns events of a step with a test that crashes, fails and then times out.
    private func retried() throws -> [LaneEvent] {
        let test = TestID(library: .swiftTesting, module: "M", suite: "", name: "never()")
        let outcomes: [TestResult.Outcome] = [.crashed(how: "exit status 3"), .failed, .timedOut(after: .seconds(1))]
        var kinds: [(String?, LaneEvent.Kind)] = []
        for (index, outcome) in outcomes.enumerated() {
            kinds.append(("x", .test(.started(test, attempt: index + 1, worker: 1))))
            kinds.append(("x", .test(.output(test, Array("attempt \(index + 1)\n".utf8)))))
            kinds.append(
                ("x", .test(.ended(TestResult(test: test, outcome: outcome, duration: nil, attempt: index + 1)))))
        }
        kinds.append(("x", .test(.output(nil, Array("loose\n".utf8)))))
        return ReportFixture.events(
            kinds + [("x", .test(.finished)), (nil, .runEnded(RunEnd(status: 1, duration: .zero)))])
    }
}
