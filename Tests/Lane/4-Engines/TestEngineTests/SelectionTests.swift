import Events
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import TestEngine

@Suite struct SelectionTests {
    private let tests = [
        listed(.xctest, "Demo", "MathTests", "testAdd"), listed(.xctest, "Demo", "MathTests", "testAddAll"),
        listed(.xctest, "Other", "MathTests", "testAdd"), listed(.swiftTesting, "Flow", "", "free()"),
        listed(.swiftTesting, "Flow", "Outer/Inner", "deep(_:)", displayName: "Goes deep"),
        listed(.swiftTesting, "Flow", "Shown/Part", "x()", suiteDisplayNames: ["Dis play", "a part"]),
    ]

    private func chosen(_ change: (inout TestOptions) -> Void) throws -> TestSelection {
        var options = TestOptions()
        change(&options)
        return try TestSelection(of: tests, options: options, history: nil)
    }

    @Test(arguments: [
        ("testAdd", [0, 1, 2]), ("Demo.MathTests/testAdd", [0]), ("MathTests", [0, 1, 2]), ("Goes deep", [4]),
        ("deep", [4]), ("Outer/Inner", [4]), ("Demo.*/testAdd", [0, 1]), ("*/testAdd", [0, 2]), ("*testAdd?*", [1]),
        ("MathTests/test*", [0, 1, 2]), ("MathTests/testAdd", [0, 2]), ("fr??()", [3]),
        ("Flow.?ree()", [3]), ("testAdd$", [0, 2]), ("^Demo|^Flow", [0, 1, 3, 4, 5]), ("/Math.*All/", [1]),
        (#"\(_:\)"#, [4]), ("free()", [3]), ("File.swift:4", [3, 4, 5]),
        (#"swift:[\d]+:[6\d]$"#, [3, 4, 5]), (#"swift:\d"#, [3, 4, 5]), (#"^Demo[\w.]+/[\w]+$"#, [0, 1]),
        (#"/Goes\s(deep|\d)/"#, [4]), (#"/[]\s]d/"#, [4]), (#"/^[\w]+\.Math[[:alpha:]\d]+\/testAdd$/"#, [0, 2]),
        ("Dis play", [5]), ("is pla", [5]), ("a p*", [5]), ("^a part$", [5]),
    ])
    func aPatternMatches(_ pattern: String, _ places: [Int]) throws {
        #expect(try TestPattern(pattern).matches(in: tests) == places)
    }

    /// The path of a file selects the tests of both libraries in it.
    @Test(arguments: [
        ("Tests/FooTests/BarTests.swift", [0, 1]), ("./Tests/FooTests/BarTests.swift", [0, 1]),
        ("/home/p/Tests/FooTests/BarTests.swift", [0, 1]), ("BarTests.swift", [0, 1]), ("FooTests/Bar*.swift", []),
        ("Tests/*/B*.swift", [0, 1, 2]), ("Tests/FooTests/Bar.swift", []), ("arTests.swift", [1]),
        (#"BarTests\.swift"#, [1]), ("Tests/FooTests/Missing.swift", []),
    ])
    func aPathSelectsTheTestsOfAFile(_ pattern: String, _ places: [Int]) throws {
        let files: [(TestLibrary, String, String?)] = [
            (.xctest, "testA", "Tests/FooTests/BarTests.swift"),
            (.swiftTesting, "b()", "Tests/FooTests/BarTests.swift"),
            (.xctest, "testC", "Tests/FooTests/BazTests.swift"),
            (.xctest, "testD", nil),
        ]
        let tests = files.map { library, name, path in
            let id = TestID(library: library, module: "FooTests", suite: "Suite", name: name)
            let location = path.map { SourceLocation(path: $0, line: 4) }
            let selector = library == .xctest ? "\(id)" : "\(id)/BarTests.swift:4:6"
            return ListedTest(info: TestInfo(id: id, location: location), binary: 0, selector: selector)
        }
        #expect(try TestPattern(pattern).matches(in: tests) == places)
    }

    /// Raw identifiers may hold any of these characters.
    @Test(arguments: ["a*()", "a.*b()", "is it?()", "a|b()", "^()", #"a\d()"#, "[a()", "(()", "x{()", "it's()", "/a/"])
    func aWholeNameMatchesThatTestAlone(_ name: String) throws {
        let names = [name, "a()", "aXb()", "is its()", "a1()", "b()", "x()", "/a/b()"]
        let tests = names.map { listed(.swiftTesting, "Flow", "Raw", $0) }
        #expect(try TestPattern("Flow.Raw/\(name)").matches(in: tests) == [0])
        #expect(try TestPattern("Raw/\(name)").matches(in: tests) == [0])
    }

    /// A user types a part of the name that the output shows.
    @Test(arguments: [
        "`costs $5 (*) or [x]?`", "costs $5 (*) or [x]?", "`Money: a|b`/`costs", "Flow.`Money: a|b`", "$5", "a|b",
    ])
    func aPartOfANameInBackquotesMatches(_ part: String) throws {
        let names = ["x()", "`costs $5 (*) or [x]?`()", "costs()", "b()"]
        let tests = names.enumerated().map {
            listed(.swiftTesting, "Flow", $0.offset == 1 ? "`Money: a|b`" : "Other", $0.element)
        }
        #expect(try TestPattern(part).matches(in: tests) == [1])
    }

    /// `swift test` interprets every filter as a regular expression.
    @Test(arguments: [
        ("test[AB]dd", [0, 1, 2]), ("testAdd(All)+", [1]), ("fre{2}", [3]), ("deep(_:)", [4]),
        ("Math(Tests)", [0, 1, 2]),
    ])
    func otherPatternsMayBeExpressions(_ pattern: String, _ places: [Int]) throws {
        #expect(try TestPattern(pattern).matches(in: tests) == places)
    }

    @Test(arguments: ["Math(", "test[A", "^(Math", "/(/", "[*", "Math(*"])
    func aBadExpressionIsNamed(_ pattern: String) {
        do {
            let selection = try chosen { $0.choice.filter = [pattern] }
            Issue.record("'\(pattern)' chooses \(selection.tests.count): \(String(describing: selection.emptiness))")
        } catch let failure as TestEngineFailure {
            #expect(failure.status == .usage)
            #expect(failure.message.hasPrefix("'\(pattern)' is not a regular expression: "), "\(failure.message)")
        } catch {
            Issue.record(error)
        }
    }

    #if os(Linux)
        /// SwiftPM uses an outdated list of tests there.
        @Test func emptyListsOfTestsAreReported() throws {
            let place = try TemporaryDirectory()
            func verdict(_ arguments: [String] = []) -> TestVerdict {
                var options = TestOptions()
                options.build.arguments = arguments
                let package = SwiftPackage(directory: place.path, environment: [:], options: options)
                return TestVerdict(of: .noTests, in: package)
            }
            #expect(verdict().reason == "the package has no tests")
            #expect(verdict().hasNoTests)
            try place.write("XCTMain([])\n", to: "LinuxMain.swift")
            #expect(
                verdict().reason == """
                    the package has no tests
                    hint: 'LinuxMain.swift' lists the tests; use '--arguments=--enable-test-discovery' to ignore it
                    """)
            #expect(!verdict().hasNoTests)
            #expect(verdict(["--enable-test-discovery"]).reason == "the package has no tests")
        }
    #endif

    /// Later versions of Swift Testing have such filters.
    @Test func tagsAreNoPatterns() {
        let package = SwiftPackage(directory: "/p", environment: [:], options: TestOptions())
        let verdict = TestVerdict(of: .noMatch(patterns: ["tag:slow"], nearest: []), in: package)
        #expect(
            verdict.reason == """
                no test matches 'tag:slow'
                hint: '--list' lists the tests; patterns select by name, not by tag
                """)
    }

    @Test func skipWinsOverFilter() throws {
        let selection = try chosen { options in
            options.choice.filter = ["MathTests"]
            options.choice.skip = ["AddAll", "Other.*"]
        }
        #expect(selection.tests.map(\.selector) == ["Demo.MathTests/testAdd"])
    }

    @Test(arguments: [
        ("testad", "Demo.MathTests/testAdd"), ("MathTest", "Demo.MathTests"), ("Innner", "Inner"),
        ("Gose deep", "Goes deep"),
        ("Demoo", "Demo"), ("Dis plai", "Dis play"), ("Tests", "Tests/*.swift"), ("Tests/", "Tests/*.swift"),
    ])
    func similarNamesAreSuggested(_ wrong: String, _ right: String) {
        #expect(nearestNames(to: [wrong], in: tests) == [right])
    }

    @Test func onlyTestsOfSomeModulesAreChosen() throws {
        let some = try chosen { $0.choice.modules = ["Demo", "Other"] }
        #expect(some.tests == Array(tests[..<3]))
        let filtered = try chosen {
            $0.choice.modules = ["Demo"]
            $0.choice.filter = ["testAdd"]
        }
        #expect(filtered.tests == Array(tests[..<2]))
        let none = try chosen {
            $0.choice.modules = []
            $0.choice.shard = Shard(1, of: 2)
        }
        #expect(none.tests.isEmpty && none.emptiness == .noneConcerned)
        // The merge of shards needs one from each.
        #expect(none.part?.total == 0)
    }

    @Test func nothingLeftSaysWhy() throws {
        #expect(
            try chosen { $0.choice.filter = ["testad "] }.emptiness
                == .noMatch(patterns: ["testad "], nearest: ["testAdd"]))
        #expect(try chosen { $0.choice.skip = ["*"] }.emptiness == .allSkipped(patterns: ["*"]))
        #expect(try TestSelection(of: [], options: TestOptions(), history: nil).emptiness == .noTests)
    }

    @Test func failedTestsAreThoseThatAnEarlierRunRecorded() throws {
        let history = TestHistory(path: "/nowhere")
        func emptiness(_ filter: [String]) throws -> TestSelection.Emptiness? {
            var options = TestOptions()
            (options.choice.failedOnly, options.choice.filter) = (true, filter)
            return try TestSelection(of: tests, options: options, history: history).emptiness
        }
        #expect(try chosen { $0.choice.failedOnly = true }.emptiness == .noneRecorded)
        #expect(try emptiness([]) == .noneRecorded)
        for test in tests[0...1] { history.record(TestResult(test: test.id, outcome: .failed, duration: nil)) }
        #expect(try emptiness([]) == nil)
        #expect(try emptiness(["free"]) == .noneRecorded)
        for test in tests { history.record(TestResult(test: test.id, outcome: .passed, duration: nil)) }
        #expect(try emptiness([]) == .noneFailed(others: 0))
        history.record(TestResult(test: tests[0].id, outcome: .failed, duration: nil))
        #expect(try emptiness(["free"]) == .noneFailed(others: 1))
    }

    /// The last run failed outside any test, its build failed, or its failed test was renamed.
    @Test func afterAFailedRunWithoutAFailedTestAllTestsRun() throws {
        let place = try TemporaryDirectory()
        let history = TestHistory(path: "\(place.path)/history")
        func selection(_ filter: [String] = []) throws -> TestSelection {
            var options = TestOptions()
            (options.choice.failedOnly, options.choice.filter) = (true, filter)
            return try TestSelection(
                of: tests, options: options, history: TestHistory(path: "\(place.path)/history"))
        }
        history.hasFailedRun = true
        try history.save()
        #expect(try selection().tests.count == tests.count)
        for test in tests { history.record(TestResult(test: test.id, outcome: .passed, duration: nil)) }
        try history.save()
        #expect(try selection().tests.count == tests.count && selection().runsAllAfterFailure)
        #expect(try selection(["free"]).tests.count == 1)
        history.record(TestResult(test: tests[0].id, outcome: .failed, duration: nil))
        try history.save()
        #expect(try selection().tests.map(\.id) == [tests[0].id])
        history.record(TestResult(test: tests[0].id, outcome: .passed, duration: nil))
        history.hasFailedRun = false
        try history.save()
        #expect(try selection().emptiness == .noneFailed(others: 0))
    }

    @Test func aBadExpressionIsRefused() {
        #expect {
            try chosen { $0.choice.filter = ["^(unclosed"] }
        } throws: { error in
            if case .badPattern("^(unclosed", _) = error as? TestEngineFailure { true } else { false }
        }
    }
}

/// Returns a test as a binary would list it.
@Suite struct ListedTestTests {
    @Test(arguments: ["File.swift", "My File.swift"]) func namesakesAreKnownToTheParserWithoutTheirPlace(file: String) {
        let id = TestID(library: .swiftTesting, module: "M", suite: "S", name: "over(_:) \(file):4:6")
        let test = ListedTest(
            info: TestInfo(id: id), binary: 0, selector: "M.S/over(_:)/\(file):4:6", hasDuplicateName: true)
        #expect(test.parserID.name == "over(_:)")
    }
}

func listed(
    _ library: TestLibrary, _ module: String, _ suite: String, _ name: String, displayName: String? = nil,
    suiteDisplayNames: [String] = [], binary: Int = 0
) -> ListedTest {
    let id = TestID(library: library, module: module, suite: suite, name: name)
    let location = library == .swiftTesting ? SourceLocation(path: "Tests/File.swift", line: 4, column: 6) : nil
    let selector = library == .swiftTesting ? "\(id)/File.swift:4:6" : "\(id)"
    return ListedTest(
        info: TestInfo(id: id, displayName: displayName, location: location), binary: binary, selector: selector,
        suiteDisplayNames: suiteDisplayNames)
}
