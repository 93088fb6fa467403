import Files
import LaneEvents
import Processes
import TestOutput
import Threads

/// Finds out which tests the binaries hold, by asking them where need be.
struct TestLister: Sendable {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let limits: RunLimits
    /// A folder of one's own for the event stream.
    let scratch: String

    /// What a binary told of its tests.
    struct Listing {
        let binary: TestBinary
        let tests: [ListedTest]
        /// Why it did not tell of all.
        var troubles: [TestEngineFailure] = []
    }

    /// All tests of a binary, and in which form it streams events; one that told them before is not asked again.
    func list(_ path: String, at index: Int) throws(TestEngineFailure) -> Listing {
        let known = KnownTests(of: path, at: index, in: package)
        if let (binary, tests) = known.read() { return Listing(binary: binary, tests: tests) }
        let listing = try ask(path, index)
        if listing.troubles.isEmpty { known.write(listing.binary, listing.tests) }
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
        // Both halves at once; without a thread to spare, one after the other.
        let thread = Thread(list)
        if thread == nil { list() }
        defer { thread?.join() }
        let (form, functions, trouble) = try swiftTestingFunctions(path, index)
        let binary = TestBinary(path: path, eventStream: form)
        // A half that tells nothing, as a fault in what its tests are made of ends it, must not take the other along.
        switch cases.wait(for: { $0 }) {
        case .success(let cases):
            return Listing(binary: binary, tests: cases + functions, troubles: trouble.map { [$0] } ?? [])
        case .failure(let failure):
            return Listing(binary: binary, tests: functions, troubles: [failure] + (trouble.map { [$0] } ?? []))
        }
    }

    /// All tests of the package, as `swift test list` tells them: both libraries alike, functions by their brackets.
    func listThroughSwiftTest() throws(TestEngineFailure) -> [ListedTest] {
        var command = package.swift("test", ["list", "--skip-build"])
        command.environment.merge(Self.withoutCounts) { $1 }
        let run: CapturedRun
        do { run = try processes.capture(command, limits: limits) } catch { throw .cannotStart(error) }
        guard run.report.succeeded else { throw .cannotList(binary: "swift test list", reason: reason(run)) }
        return distinct(run.standardOutput.split(separator: UInt8(ascii: "\n")).compactMap(relayedTest))
    }

    /// A function has brackets, and its place behind them where other functions have its name.
    private func relayedTest(_ line: ArraySlice<UInt8>) -> ListedTest? {
        let text = String(decoding: line, as: UTF8.self)
        let test = SwiftTestingNames.test(id: text)
        guard test.name.utf8.last == UInt8(ascii: ")") else { return xctestCase(line, 0) }
        return ListedTest(info: TestInfo(id: test), binary: 0, selector: text)
    }

    /// How Swift Testing's events come through `swift test`.
    func swiftTestEvents() throws(TestEngineFailure) -> EventStreamForm? {
        let run = try run("swift", ["--version"])
        return .ofSwiftTest(version: run.standardOutput)
    }

    /// A binary that counts what it reaches would otherwise leave its counts in the package.
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

    /// `Listing 18 tests in debug.xctest:`, an empty line, and that many lines of `Module.Class/method`.
    private func xctestCases(_ path: String, _ binary: Int) throws(TestEngineFailure) -> [ListedTest] {
        let run = try run(path, ["--list-tests"])
        let lines = run.standardOutput.split(separator: UInt8(ascii: "\n"))
        let heading = lines.lastIndex { $0.starts(with: "Listing ".utf8) && $0.last == UInt8(ascii: ":") }
        guard run.report.succeeded, let heading, let count = Self.count(inHeading: lines[heading]), count >= 0 else {
            guard heading == nil, Self.endedByItself(run.report) else { throw cannotList(path, run) }
            throw .ownEntryPoint(binary: relativePath(path, to: package.directory), reason: reason(run))
        }
        // A thread that something in the binary has started may print between them.
        let cases = Array(lines[(heading + 1)...].lazy.compactMap { xctestCase($0, binary) }.prefix(count))
        guard cases.count == count else {
            throw .cannotList(
                binary: relativePath(path, to: package.directory), reason: "it told of \(cases.count) of \(count)")
        }
        return cases
    }

    /// Neither a signal nor the loader, which has a status of its own, kept it from answering.
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
        var trouble: TestEngineFailure?
        for form in EventStreamForm.allCases {
            let (run, tests) = try functions(path, binary, form)
            // 69 says that there are none; a form that is not known ends with 1, as does a program without the library.
            if run.report.status == 0 || run.report.status == 69 {
                return (form, distinct(tests), nil)
            }
            if run.report.status != 1 { trouble = trouble ?? cannotList(path, run) }
        }
        return (nil, [], trouble)
    }

    /// Read while they are written, so that both halves of the work are done at once.
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

    /// The id as Swift Testing itself has it: name, then place.
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
        let ending = ProcessEnding(run.report).description
        let text = crash?.text ?? run.errorText.split(separator: "\n").prefix(5).joined(separator: "\n")
        return text.isEmpty ? ending : "\(ending)\n\(text)"
    }

    /// Functions of one name in one suite, as two files or two overloads may have them, are told apart by their place.
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
                info: info, binary: test.binary, selector: test.selector, isNamesake: true,
                suiteDisplayNames: test.suiteDisplayNames)
        }
    }
}
