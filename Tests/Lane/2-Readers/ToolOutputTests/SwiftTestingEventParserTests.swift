import Events
import TestSupport
import Testing
import ToolOutput

@Suite struct SwiftTestingEventParserTests {
    static func events(_ bytes: [UInt8], chunk: Int = .max, root: String = "/src/Demo") -> EventText {
        var text = EventText()
        var parser = SwiftTestingEventParser(root: root)
        for chunk in bytes.chunks(of: Swift.min(chunk, Swift.max(bytes.count, 1))) {
            chunk.withUnsafeBytes { parser.consume($0) { text.add(.test($0)) } }
        }
        parser.finish { text.add(.test($0)) }
        for test in parser.running { text.add(.message(Message(.note, "running \(test)"))) }
        return text
    }

    @Test(arguments: ["11.jsonl", "08.jsonl"]) func wholeRun(log: String) throws {
        expectGolden(Self.events(try Logs.bytes(log)).text, "\(log).events")
    }

    @Test func streamsOfCrashedProcessesAreReadToTheirEnd() throws {
        expectGolden(Self.events(try Logs.bytes("23.jsonl"), root: "/src/Crash").text, "23.jsonl.events")
    }

    @Test(arguments: ["11.jsonl", "08.jsonl"]) func groundTruth(log: String) throws {
        var (started, failed, skippedUnstarted, planned) = (Set<TestID>(), 0, 0, 0)
        var parser = SwiftTestingEventParser(root: "/src/Demo")
        try Logs.bytes(log).withUnsafeBytes { bytes in
            parser.consume(bytes) { event in
                switch event {
                case .planned(let tests): planned += tests.count
                case .started(let test, _, _): started.insert(test)
                case .ended(let result):
                    if result.outcome == .failed { failed += 1 }
                    if case .skipped = result.outcome, !started.contains(result.test) { skippedUnstarted += 1 }
                default: break
                }
            }
        }
        #expect(planned == 29 && started.count == 24 && failed == 10 && skippedUnstarted == 5)
        #expect(parser.running.isEmpty && parser.unknownLines == 0)
    }

    /// The key has an underscore in Swift 6.2. An attachment without a directory has no path.
    @Test(arguments: [
        (#""attachment":{"path":"\/src\/Demo\/.lane\/a b.png"},"#, [".lane/a b.png"]),
        (#""_attachment":{"path":"\/tmp\/a.png"},"#, ["/tmp/a.png"]), (#""attachment":{},"#, []), ("", []),
    ])
    func attachedFilesAreNamed(member: String, paths: [String]) {
        let stream = #"""
            {"kind":"test","payload":{"id":"M.a()\/A.swift:3:2","isParameterized":false,"kind":"function","name":"a()"},"version":"6.3.0"}
            {"kind":"event","payload":{\#(member)"instant":{"absolute":1},"kind":"valueAttached","messages":[],"testID":"M.a()\/A.swift:3:2"},"version":"6.3.0"}

            """#
        var parser = SwiftTestingEventParser(root: "/src/Demo")
        var found: [String] = []
        Array(stream.utf8).withUnsafeBytes { bytes in
            parser.consume(bytes) { if case .attached(_, let path) = $0 { found.append(path) } }
        }
        #expect(found == paths)
    }

    /// Up to Swift 6.3, a test starts when it is enqueued. If there are more tests than threads, only the cases of
    /// parameterized tests have known running times.
    @Test(arguments: [(2, [500, 3_000, 300, nil]), (3, [500, 9_500, 9_000, 8_500]), (1, [nil, 3_000, 300, nil])])
    func waitingTimeIsNotPartOfTheDuration(threads: Int, times: [Int?]) {
        func test(_ name: String) -> String {
            #"{"kind":"test","payload":{"id":"M.\#(name)\/A.swift:3:2","isParameterized":\#(name.hasSuffix("_:)")),"kind":"function","name":"\#(name)"},"version":"6.3.0"}"#
                + "\n"
        }
        func event(_ kind: String, _ name: String, at moment: Double) -> String {
            #"{"kind":"event","payload":{"instant":{"absolute":\#(moment)},"kind":"\#(kind)","messages":[{"symbol":"default","text":"Test case passing 1 argument n → 1 to x started."}],"testID":"M.\#(name)\/A.swift:3:2"},"version":"6.3.0"}"#
                + "\n"
        }
        let names = ["a()", "b(_:)", "c(_:)", "d()"]
        let stream =
            names.map(test).joined() + event("testStarted", "a()", at: 0) + event("testStarted", "b(_:)", at: 0.5)
            + event("testEnded", "a()", at: 0.5) + event("testStarted", "c(_:)", at: 1)
            + event("testStarted", "d()", at: 1.5) + event("testCaseStarted", "b(_:)", at: 2)
            + event("testCaseStarted", "b(_:)", at: 3) + event("testCaseEnded", "b(_:)", at: 4)
            + event("testCaseEnded", "b(_:)", at: 4.5) + event("testCaseStarted", "b(_:)", at: 6)
            + event("testCaseEnded", "b(_:)", at: 6.5) + event("testCaseStarted", "c(_:)", at: 7)
            + event("testCaseEnded", "c(_:)", at: 7.3)
            + names.dropFirst().map { event("testEnded", $0, at: 10) }.joined()
        var parser = SwiftTestingEventParser(root: "", threads: threads)
        var found: [String: Int] = [:]
        Array(stream.utf8).withUnsafeBytes { bytes in
            parser.consume(bytes) { event in
                guard case .ended(let result) = event, let time = result.duration else { return }
                found[result.test.name] = Int((time / .milliseconds(1)).rounded())
            }
        }
        #expect(names.map { found[$0] } == times)
    }

    /// Two concurrent cases, and two arguments with the same description.
    @Test(arguments: [true, false]) func argumentOfAnIssue(tellsCases: Bool) {
        func event(_ kind: String, _ text: String, _ id: Int? = nil, extra: String = "") -> String {
            let testCase = tellsCases ? id.map { #""_testCase":{"displayName":"n","id":"case \#($0)"},"# } ?? "" : ""
            return
                #"{"kind":"event","payload":{\#(testCase)"instant":{"absolute":1.5},"kind":"\#(kind)","messages":[{"symbol":"fail","text":"\#(text)"}],\#(extra)"testID":"M.f(_:)\/A.swift:3:2"},"version":"6.3.0"}"#
                + "\n"
        }
        let place =
            #""issue":{"isFailure":true,"isKnown":false,"sourceLocation":{"filePath":"\/src\/Demo\/Tests\/A.swift","line":4,"column":5}},"#
        let stream =
            #"{"kind":"test","payload":{"id":"M.f(_:)\/A.swift:3:2","isParameterized":true,"kind":"function","name":"f(_:)","sourceLocation":{"filePath":"\/src\/Demo\/Tests\/A.swift","line":3,"column":2}},"version":"6.3.0"}"#
            + "\n" + event("testStarted", "Test f(_:) started.")
            + event("testCaseStarted", "Test case passing 1 argument n → 1 to f(_:) started.", 1)
            + event("testCaseStarted", "Test case passing 1 argument n → 2 to f(_:) started.", 2)
            + event("issueRecorded", "one", 2, extra: place) + event("testCaseEnded", "", 1)
            + event("issueRecorded", "two", 2, extra: place)
        var issues: [String] = []
        var parser = SwiftTestingEventParser(root: "/src/Demo")
        Array(stream.utf8).withUnsafeBytes { bytes in
            parser.consume(bytes) { event in
                if case .issue(let issue) = event { issues.append("\(issue.text) \(issue.argument ?? "-")") }
            }
        }
        // Without IDs, it is unknown which of the two cases has ended.
        #expect(issues == (tellsCases ? ["one n → 2", "two n → 2"] : ["one -", "two -"]))
    }

    @Test(arguments: [
        (#"a \"plain\" \/ \\ one"#, #"a "plain" / \ one"#), (#"\n"#, "\n"),
        (#"caf\u00e9 \/ \t"#, "café / \t"), (#"\/"#, "/"), ("none", "none"),
    ])
    func escapesInTexts(raw: String, text: String) {
        let record =
            #"{"kind":"test","payload":{"displayName":"\#(raw)","id":"M.f()\/A.swift:3:2","kind":"function","name":"f()"}}"#
        var names: [String?] = []
        var parser = SwiftTestingEventParser(root: "")
        let take = { (event: TestEvent) in
            if case .planned(let tests) = event { names += tests.map(\.displayName) }
        }
        Array(record.utf8).withUnsafeBytes { parser.consume($0, emit: take) }
        parser.finish(emit: take)
        #expect(names == [text])
    }

    @Test func otherLinesAreCounted() {
        var parser = SwiftTestingEventParser(root: "")
        Array("{\n\nnonsense\n{\"kind\":\"event\"".utf8).withUnsafeBytes { parser.consume($0) { _ in } }
        parser.finish { _ in }
        #expect(parser.unknownLines == 3)
    }
}
