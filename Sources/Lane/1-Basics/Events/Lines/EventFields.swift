import Text

/// The members of one line, with accessors by name and type.
struct EventFields {
    let node: JSONNode

    private func required<Value>(_ name: String, _ value: Value?, _ expected: String) throws(EventLineError) -> Value {
        if let value { return value }
        let found = node[name].map { "found \($0.kind)" } ?? "it is missing"
        throw EventLineError(message: "expected \(expected) for '\(name)', \(found)")
    }

    func string(_ name: String) throws(EventLineError) -> String {
        try required(name, node[name]?.string, "a string")
    }

    func optionalString(_ name: String) throws(EventLineError) -> String? {
        node[name] == nil ? nil : try string(name)
    }

    /// The limit of numbers that are added up, so that no sum of a damaged file overflows.
    private static let largestInteger = Int(Int32.max)
    /// The valid times, up to the end of the year 9999.
    private static let times = 0...253_402_300_799.0

    func integer(_ name: String, upTo limit: Int = largestInteger) throws(EventLineError) -> Int {
        let number = node[name]?.integer.flatMap { (0...limit).contains($0) ? $0 : nil }
        return try required(name, number, "an integer from 0 to \(limit)")
    }

    /// Returns a time in seconds since 1970.
    func time(_ name: String) throws(EventLineError) -> Double {
        let time = node[name]?.number.flatMap { Self.times.contains($0) ? $0 : nil }
        return try required(name, time, "a time in seconds since 1970")
    }

    func status(_ name: String) throws(EventLineError) -> Int32 {
        try required(name, node[name]?.integer.flatMap { Int32(exactly: $0) }, "an exit status")
    }

    func number(_ name: String) throws(EventLineError) -> Double {
        try required(name, node[name]?.number, "a number")
    }

    func duration(_ name: String) throws(EventLineError) -> Duration {
        let nanoseconds = Int64(exactly: (try number(name) * 1e9).rounded())
        return .nanoseconds(try required(name, nanoseconds, "seconds within 292 years"))
    }

    func optionalDuration(_ name: String) throws(EventLineError) -> Duration? {
        node[name] == nil ? nil : try duration(name)
    }

    func flag(_ name: String) -> Bool {
        node[name]?.bool ?? false
    }

    func strings(_ name: String) throws(EventLineError) -> [String] {
        guard node[name] != nil else { return [] }
        let elements = try required(name, node[name]?.array, "an array")
        let strings = elements.compactMap(\.string)
        return try required(name, strings.count == elements.count ? strings : nil, "an array of strings")
    }

    func objects(_ name: String) throws(EventLineError) -> [EventFields] {
        try required(name, node[name]?.array, "an array").map { EventFields(node: $0) }
    }

    func object(_ name: String) throws(EventLineError) -> EventFields {
        EventFields(node: try required(name, node[name].flatMap { $0.members == nil ? nil : $0 }, "an object"))
    }

    /// Returns a case of an enumeration.
    func word<Word: RawRepresentable>(_ name: String) throws(EventLineError) -> Word where Word.RawValue == String {
        let text = try string(name)
        guard let word = Word(rawValue: text) else { throw EventLineError(message: "unknown \(name) '\(text)'") }
        return word
    }

    func bytes() throws(EventLineError) -> [UInt8] {
        guard let encoded = try optionalString("base64") else { return Array(try string("text").utf8) }
        return try required("base64", Base64.decode(encoded), "base64")
    }

    func location() throws(EventLineError) -> SourceLocation? {
        guard node["location"] != nil else { return nil }
        let fields = try object("location")
        return SourceLocation(
            path: try fields.string("path"), line: try fields.integer("line"),
            column: fields.node["column"] == nil ? nil : try fields.integer("column"))
    }

    func test() throws(EventLineError) -> TestID {
        let fields = try object("test")
        return TestID(
            library: try fields.word("library"), module: try fields.string("module"),
            suite: try fields.string("suite"), name: try fields.string("name"))
    }

    func optionalTest() throws(EventLineError) -> TestID? {
        node["test"] == nil ? nil : try test()
    }

    func countedTests() throws(EventLineError) -> CountedTests {
        let suite = SuiteID(
            library: try word("library"), module: try string("module"), suite: try string("suite"))
        return CountedTests(
            suite: suite, passed: try integer("passed"), failed: try integer("failed"),
            duration: try duration("duration"))
    }

    func runTotals() throws(EventLineError) -> RunTotals {
        RunTotals(library: try word("library"), suites: try integer("suites"), duration: try duration("duration"))
    }

    func plannedTests() throws(EventLineError) -> [TestInfo] {
        var tests: [TestInfo] = []
        for fields in try objects("tests") {
            tests.append(
                TestInfo(
                    id: try fields.test(), displayName: try fields.optionalString("displayName"),
                    location: try fields.location(), isParameterized: fields.flag("parameterized"),
                    usualDuration: try fields.optionalDuration("usualDuration")))
        }
        return tests
    }

    func testResult() throws(EventLineError) -> TestResult {
        let outcome: TestResult.Outcome =
            switch try string("outcome") {
            case "passed": .passed
            case "failed": .failed
            case "skipped": .skipped(reason: try optionalString("reason"))
            case "crashed": .crashed(how: try string("how"))
            case "timedOut": .timedOut(after: try duration("after"))
            case "notRun": .notRun(reason: try string("reason"))
            case let word: throw EventLineError(message: "unknown outcome '\(word)'")
            }
        return TestResult(
            test: try test(), outcome: outcome, duration: try optionalDuration("duration"),
            attempt: try integer("attempt"), isExcused: flag("excused"))
    }
}
