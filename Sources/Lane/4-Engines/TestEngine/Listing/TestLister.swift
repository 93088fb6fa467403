import CLibrary
import Events
import OperatingSystem
import Text
import ToolOutput

/// A lister of the tests in binaries.
struct TestLister: Sendable {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let limits: RunLimits
    /// A private directory for the event stream.
    let scratch: String

    /// The result of listing a binary.
    struct Listing {
        let binary: TestBinary
        var tests: [ListedTest]
        /// The errors, if the list is incomplete.
        var listingErrors: [TestEngineFailure] = []
    }

    /// Returns all tests of a binary with their locations, and the format of its event stream. Reads them from the
    /// cache if possible.
    func list(_ path: String, at index: Int) throws(TestEngineFailure) -> Listing {
        let known = KnownTests(of: path, at: index, in: package)
        if let (binary, tests) = known.read() { return Listing(binary: binary, tests: tests) }
        var listing = try ask(path, index)
        if listing.tests.contains(where: { $0.id.library == .xctest }) {
            let places = TestMethodLocations(binary: path, in: package, processes, scratch: scratch)
            listing.tests = listing.tests.map(places.locating)
        }
        if listing.listingErrors.isEmpty { known.write(listing.binary, listing.tests) }
        return listing
    }

    private func ask(_ path: String, _ index: Int) throws(TestEngineFailure) -> Listing {
        let cases = Monitor<Result<[ListedTest], TestEngineFailure>?>(nil)
        let list = { @Sendable () in
            do throws(TestEngineFailure) {
                let listed = try xctestCases(path, index)
                cases.withLock { $0 = .success(listed) }
            } catch {
                cases.withLock { $0 = .failure(error) }
            }
            cases.signal()
        }
        // Both libraries are listed in parallel, or one after the other if no thread can be created.
        let thread = Thread(list)
        if thread == nil { list() }
        defer { thread?.join() }
        let (form, functions, listingError) = try swiftTestingFunctions(path, index)
        let binary = TestBinary(path: path, eventStream: form)
        // A failure in one library must not prevent listing the other.
        switch cases.wait(for: { $0 }) {
        case .success(let cases):
            return Listing(binary: binary, tests: cases + functions, listingErrors: listingError.map { [$0] } ?? [])
        case .failure(let failure):
            return Listing(
                binary: binary, tests: functions, listingErrors: [failure] + (listingError.map { [$0] } ?? []))
        }
    }

    /// Returns all tests from `swift test list`, which lists both libraries.
    func listThroughSwiftTest() throws(TestEngineFailure) -> [ListedTest] {
        var command = package.swift("test", ["list", "--skip-build"])
        command.environment.merge(Self.withoutCounts) { $1 }
        let run: CapturedRun
        do { run = try processes.capture(command, limits: limits) } catch { throw .cannotStart(error) }
        guard run.report.succeeded else {
            let isNotBuilt = run.errorText.contains("Test build artifacts were not found")
            throw isNotBuilt ? .notBuilt : .cannotList(binary: "swift test list", reason: reason(run))
        }
        return distinct(run.standardOutput.split(separator: UInt8(ascii: "\n")).compactMap(relayedTest))
    }

    /// Parses a line. A function has parentheses, followed by a location if other functions have the same name.
    private func relayedTest(_ line: ArraySlice<UInt8>) -> ListedTest? {
        let text = String(decoding: line, as: UTF8.self)
        let test = SwiftTestingNames.test(id: text)
        guard test.name.utf8.last == UInt8(ascii: ")") else { return xctestCase(line, 0) }
        return ListedTest(info: TestInfo(id: test), binary: 0, selector: text)
    }

    /// Returns the format of Swift Testing's events through `swift test`.
    func swiftTestEvents() throws(TestEngineFailure) -> EventStreamForm {
        .ofSwiftTest(version: try run("swift", ["--version"]).standardOutput)
    }

    /// The environment that prevents an instrumented binary from writing its profile to the package.
    private static let withoutCounts = ["LLVM_PROFILE_FILE": "/dev/null"]

    private func run(_ path: String, _ arguments: [String]) throws(TestEngineFailure) -> CapturedRun {
        let environment = package.environment.merging(Self.withoutCounts) { $1 }
        do {
            return try processes.capture(
                Command(path, arguments, environment: environment, directory: package.directory), limits: limits)
        } catch {
            throw .cannotStart(error)
        }
    }

    /// Parses `Listing 18 tests in debug.xctest:`, an empty line, and that many lines of `Module.Class/method`.
    private func xctestCases(_ path: String, _ binary: Int) throws(TestEngineFailure) -> [ListedTest] {
        let run = try run(path, ["--list-tests"])
        let lines = run.standardOutput.split(separator: UInt8(ascii: "\n"))
        let heading = lines.lastIndex { $0.starts(with: "Listing ".utf8) && $0.last == UInt8(ascii: ":") }
        guard run.report.succeeded, let heading, let count = Self.count(inHeading: lines[heading]), count >= 0 else {
            guard heading == nil, Self.endedByItself(run.report) else { throw cannotList(path, run) }
            throw .ownEntryPoint(binary: relativePath(path, to: package.directory), reason: reason(run))
        }
        // Threads of the binary may print between these lines.
        let cases = Array(lines[(heading + 1)...].lazy.compactMap { xctestCase($0, binary) }.prefix(count))
        guard cases.count == count else {
            throw .cannotList(
                binary: relativePath(path, to: package.directory), reason: "it listed \(cases.count) of \(count) tests")
        }
        return cases
    }

    /// Returns a Boolean value that indicates whether the process exited by itself, and not because of a signal or the
    /// loader.
    private static func endedByItself(_ report: ExitReport) -> Bool {
        guard case .exited(let status) = report.termination else { return false }
        return status != 127 && report.stoppedBy == nil
    }

    private static func count(inHeading line: ArraySlice<UInt8>) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count == 3 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }

    private func xctestCase(_ line: ArraySlice<UInt8>, _ binary: Int) -> ListedTest? {
        guard let slash = line.lastIndex(of: UInt8(ascii: "/")), let dot = line.firstIndex(of: UInt8(ascii: ".")),
            dot < slash
        else { return nil }
        func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }
        let test = TestID(
            library: .xctest, module: text(line.startIndex..<dot), suite: text(dot + 1..<slash),
            name: text(slash + 1..<line.endIndex))
        return ListedTest(info: TestInfo(id: test), binary: binary, selector: text(line.startIndex..<line.endIndex))
    }

    private func swiftTestingFunctions(
        _ path: String, _ binary: Int
    ) throws(TestEngineFailure) -> (EventStreamForm?, [ListedTest], TestEngineFailure?) {
        var listingError: TestEngineFailure?
        for form in EventStreamForm.allCases {
            let (run, tests) = try functions(path, binary, form)
            // Status 69 means that there are no tests. Binaries without the format or the library exit with 1.
            if run.report.status == 0 || run.report.status == 69 {
                return (form, distinct(tests), nil)
            }
            if run.report.status != 1 { listingError = listingError ?? cannotList(path, run) }
        }
        return (nil, [], listingError)
    }

    /// Parses the events while the binary writes them.
    private func functions(
        _ path: String, _ binary: Int, _ form: EventStreamForm
    ) throws(TestEngineFailure) -> (CapturedRun, [ListedTest]) {
        let pipe = try EventPipe(path: "\(scratch)/list-\(binary)")
        let parser = SharedParser(SwiftTestingEventParser(root: package.directory))
        let tests = Monitor<[TestInfo]>([])
        let take = { @Sendable (event: TestEvent) in
            if case .planned(let infos) = event { tests.withLock { $0 += infos } }
        }
        try pipe.start { bytes in parser.consume(bytes, take) }
        defer { pipe.finish() }
        let arguments = ["--testing-library", "swift-testing", "--list-tests"] + EventStreamForm.withoutText
        let run = try run(path, arguments + form.arguments(writingTo: pipe.path))
        pipe.finish()
        parser.finish(take)
        let names = parser.suiteDisplayNames
        let listed = tests.withLock { $0 }.map { test in
            let suites = names.isEmpty ? [] : SwiftTestingNames.suites(around: test.id)
            return ListedTest(
                info: test, binary: binary, selector: Self.selector(test),
                suiteDisplayNames: suites.compactMap { names[$0] })
        }
        return (run, listed)
    }

    /// Returns Swift Testing's ID: the name and the location.
    private static func selector(_ test: TestInfo) -> String {
        guard let place = test.location else { return "\(test.id)" }
        return "\(test.id)/\(lastPathComponent(place.path)):\(place.line):\(place.column ?? 0)"
    }

    private func cannotList(_ path: String, _ run: CapturedRun) -> TestEngineFailure {
        let binary = relativePath(path, to: package.directory)
        let crash = CrashReport.ofProcess(in: run.standardError, root: package.directory)
        return .cannotList(binary: binary, reason: reason(run, crash), at: crash?.location)
    }

    private func reason(_ run: CapturedRun, _ crash: CrashReport? = nil) -> String {
        let isLate = run.report.stoppedBy == .timeout
        let limit = isLate ? limits.timeout.map { "it did not end within \($0.inWords)" } : nil
        let ending = limit ?? ProcessEnding(run.report).description
        let text = crash?.text ?? run.errorText.split(separator: "\n").prefix(5).joined(separator: "\n")
        return text.isEmpty ? ending : "\(ending)\n\(text)"
    }

    /// Adds locations to the IDs of tests with the same name in one suite, for example from two files.
    private func distinct(_ tests: [ListedTest]) -> [ListedTest] {
        var seen = Set<TestID>(minimumCapacity: tests.count)
        let namesakes = Set(tests.map(\.id).filter { !seen.insert($0).inserted })
        guard !namesakes.isEmpty else { return tests }
        return tests.map { test in
            guard namesakes.contains(test.id), let place = test.selector.split(separator: "/").last else { return test }
            let id = TestID(
                library: test.id.library, module: test.id.module, suite: test.id.suite, name: "\(test.id.name) \(place)"
            )
            let info = TestInfo(
                id: id, displayName: test.info.displayName, location: test.info.location,
                isParameterized: test.info.isParameterized)
            return ListedTest(
                info: info, binary: test.binary, selector: test.selector, hasDuplicateName: true,
                suiteDisplayNames: test.suiteDisplayNames)
        }
    }
}

/// The text form of the list of a binary's tests: a heading, the mark of the binary, the format of its events, the
/// number of tests, and the tests. Fields and records end with the ASCII separators.
struct TestListText {
    private static let heading = "lane test list 2"
    private static let fieldEnd = UInt8(0x1F)
    private static let recordEnd = UInt8(0x1E)

    /// A text that identifies the binary.
    let mark: String
    /// The format of the binary's events, or `nil` if it contains no Swift Testing.
    let eventStream: EventStreamForm?
    let tests: [ListedTest]

    init(mark: String, eventStream: EventStreamForm?, tests: [ListedTest]) {
        self.mark = mark
        self.eventStream = eventStream
        self.tests = tests
    }

    /// Parses a list. Returns `nil` if it is not complete.
    ///
    /// - Parameter binary: The index of the binary in the run.
    init?(parsing bytes: [UInt8], binary: Int) {
        guard bytes.last == Self.recordEnd else { return nil }
        var records = bytes.split(separator: Self.recordEnd).makeIterator()
        guard let first = records.next().map(Self.fields), first.count == 4, first[0] == Self.heading,
            let count = Int(first[3])
        else { return nil }
        var tests: [ListedTest] = []
        tests.reserveCapacity(min(count, bytes.count))
        while let record = records.next() {
            guard let test = Self.test(Self.fields(of: record), binary: binary) else { return nil }
            tests.append(test)
        }
        guard tests.count == count else { return nil }
        self.init(mark: first[1], eventStream: EventStreamForm(rawValue: first[2]), tests: tests)
    }

    /// The text, or `nil` if a name contains one of the separators.
    var bytes: [UInt8]? {
        var bytes: [UInt8] = []
        let first = [Self.heading, mark, eventStream?.rawValue ?? "", "\(tests.count)"]
        for record in [first] + tests.map(Self.fields) {
            for field in record {
                let field = field.utf8
                if field.contains(where: { $0 == Self.fieldEnd || $0 == Self.recordEnd }) { return nil }
                bytes += field
                bytes.append(Self.fieldEnd)
            }
            bytes.append(Self.recordEnd)
        }
        return bytes
    }

    private static func fields(of record: ArraySlice<UInt8>) -> [String] {
        record.split(separator: Self.fieldEnd, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func fields(of test: ListedTest) -> [String] {
        let place = test.info.location
        var fields = [test.id.library.rawValue, test.id.module, test.id.suite, test.id.name, test.selector]
        fields.append(flags(of: test))
        fields += [place?.path ?? "", place.map { "\($0.line)" } ?? "", place?.column.map { "\($0)" } ?? ""]
        if let name = test.info.displayName { fields.append(name) }
        return fields + test.suiteDisplayNames
    }

    private static func flags(of test: ListedTest) -> String {
        var flags = ""
        if test.hasDuplicateName { flags += "n" }
        if test.info.isParameterized { flags += "p" }
        if test.info.displayName != nil { flags += "d" }
        if test.isExclusive { flags += "x" }
        return flags
    }

    private static func test(_ fields: [String], binary: Int) -> ListedTest? {
        guard fields.count >= 9, let library = TestLibrary(rawValue: fields[0]) else { return nil }
        let has = { (flag: Unicode.Scalar) in fields[5].utf8.contains(UInt8(ascii: flag)) }
        var displayNames = fields[9...]
        let displayName = has("d") ? displayNames.popFirst() : nil
        let place = Int(fields[7]).map { SourceLocation(path: fields[6], line: $0, column: Int(fields[8])) }
        let info = TestInfo(
            id: TestID(library: library, module: fields[1], suite: fields[2], name: fields[3]),
            displayName: displayName, location: place, isParameterized: has("p"))
        return ListedTest(
            info: info, binary: binary, selector: fields[4], hasDuplicateName: has("n"), isExclusive: has("x"),
            suiteDisplayNames: Array(displayNames))
    }
}

/// A cache of a binary's tests, which is valid until the file changes. Listing a large binary takes as long as many
/// tests.
///
/// The cache is a `TestListText` in the build directory. No cache is written if a name contains a separator of this
/// format.
struct KnownTests {
    private let binary: String
    /// The index of the binary in the run.
    private let index: Int
    private let path: String

    init(of binary: String, at index: Int, in package: SwiftPackage) {
        self.binary = binary
        self.index = index
        path = "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration)-\(index).list"
    }

    /// Returns the tests and the binary with its event format, or `nil` if the binary must be listed.
    func read() -> (TestBinary, [ListedTest])? {
        guard let bytes = try? readFile(path), let text = TestListText(parsing: bytes, binary: index),
            text.mark == mark,
            let form = text.eventStream
        else { return nil }
        return (TestBinary(path: binary, eventStream: form), text.tests)
    }

    /// Writes the cache, and ignores errors. A binary without an event stream is not cached, because its listing may
    /// have failed.
    func write(_ known: TestBinary, _ tests: [ListedTest]) {
        guard let mark, let form = known.eventStream,
            let bytes = TestListText(mark: mark, eventStream: form, tests: tests).bytes
        else { return }
        try? writeFile(bytes, to: path)
    }

    /// The hash of the binary, or `nil` if it does not exist.
    private var mark: String? {
        var mark = StateHash()
        return mark.add(file: binary) ? "\(String(mark.value, radix: 16)) with locations" : nil
    }
}
