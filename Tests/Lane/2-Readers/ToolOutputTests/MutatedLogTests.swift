import Events
import TestSupport
import Testing
import ToolOutput

/// Tests of logs with random damage: removed, repeated, swapped and joined lines, and changed bytes.
@Suite struct MutatedLogTests {
    struct Mutation: Sendable {
        enum Kind: Int, Sendable, CaseIterable {
            case dropLine, doubleLine, swapLines, dropNewline, insertLine, changeByte, dropBytes, cutOff
        }

        let kind: Kind
        /// The relative position in the log.
        let place: Double
        let byte: UInt8
    }

    static let mutations: Generator<[Mutation]> = zip(
        Generator<Int>.integer(in: 0...Mutation.Kind.allCases.count - 1), Generator<Double>.real(in: 0...0.9999),
        Generator<UInt8>.integer(in: 0...255)
    ).map { kind, place, byte in
        Mutation(kind: Mutation.Kind(rawValue: kind) ?? .dropLine, place: place, byte: byte)
    }.array(count: 1...12)

    /// Output that looks like lines of the tools, or is difficult to parse.
    static let insertions = [
        "print", "Test Case 'A.b' started at", "Test Case 'Math", "\u{25C7} Test run started.", "\u{2714} Test", "[1/",
        "[3/9] Testing A.B/c", "error: ", "/x:1: error: A.b : c", "Test Suite 'A' passed at", "** TEST FAILED **",
        "    ",
        "{\"kind\":", "*** Program crashed: x ***", "Thread 0 crashed:", "M/F.swift:1: Fatal error: x", "\u{21B3} ",
        "error: link command failed", "Undefined symbols for architecture ", "macro expansion #x:1:2: error: y",
        "\u{1B}[2K", "error: Process 'a b/c' exited with unexpected signal code 11", "\t Executed 99 tests, with 1",
    ]

    static func apply(_ mutations: [Mutation], to bytes: [UInt8]) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        for mutation in mutations {
            let line = Int(mutation.place * Double(lines.count))
            let column = Int(mutation.byte) % max(lines[line].count, 1)
            switch mutation.kind {
            case .dropLine where lines.count > 1: lines.remove(at: line)
            case .doubleLine: lines.insert(lines[line], at: line)
            case .swapLines: lines.swapAt(line, Int(mutation.byte) * 31 % lines.count)
            case .dropNewline where line + 1 < lines.count: lines[line] += lines.remove(at: line + 1)
            case .insertLine:
                lines.insert(Array(insertions[Int(mutation.byte) % insertions.count].utf8), at: line)
            case .changeByte where column < lines[line].count: lines[line][column] = mutation.byte
            case .dropBytes where column < lines[line].count: lines[line].removeLast(lines[line].count - column)
            case .cutOff where mutation.byte == 7: lines.removeLast(lines.count - line)
            default: break
            }
            if lines.isEmpty { lines = [[]] }
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    /// Returns all events as one text.
    static func told(_ log: ReadLog) -> String {
        log.kinds.map { event in
            switch event {
            case .test(.issue(let issue)): issue.text
            case .test(.output(_, let bytes)): String(decoding: bytes, as: UTF8.self)
            case .buildDiagnostic(let diagnostic): ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n")
            case .buildProgress(let progress): progress.text
            default: ""
            }
        }.joined(separator: "\n") + log.unknown.joined(separator: "\n")
    }

    /// Returns the messages of undamaged failure lines.
    static func failures(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A).filter { !$0.contains { $0 == 0x1B || $0 == 0x0D } }.compactMap { line in
            let text = String(decoding: line, as: UTF8.self)
            guard text.hasPrefix("/src/Demo/"), let mark = text.firstRange(of: ": error: "),
                let colon = text[mark.upperBound...].firstRange(of: " : ")
            else { return nil }
            let message = text[colon.upperBound...]
            return String(message.hasSuffix(" - ") ? message.dropLast(3) : message)
        }
    }

    @Test(arguments: ["02-default-merged", "03-parallel", "06-xctest-only"])
    func noFailureIsLost(run: String) throws {
        let bytes = try LogReaderTests.bytes(run)
        checkProperty("no failure of \(run) is lost", Self.mutations, cases: 25) { mutations in
            let damaged = Self.apply(mutations, to: bytes)
            let told = Self.told(ReadLog(damaged))
            for failure in Self.failures(in: damaged) where !told.contains(failure) {
                return try expectEqual(told, failure)
            }
            return true
        }
    }

    @Test(arguments: [
        "20-xcrash", "21-xcrash-parallel", "33-stcrash-bt", "42-link-error", "45-macro-expansions", "47-quiet",
        "46-terminal-build", "70-xcodebuild-build", "71-xcodebuild-test", "73-macos-swift-test", "11",
    ])
    func everyTestIsAccountedFor(run: String) throws {
        let bytes = try LogReaderTests.bytes(run)
        checkProperty("tests of \(run) end once", Self.mutations, cases: 12) { mutations in
            let damaged = Self.apply(mutations, to: bytes)
            let log = ReadLog(damaged)
            // A test that starts must end, and the events must not depend on the chunks.
            let unended = Set(log.started).subtracting(log.ended.map(\.test))
            guard unended.isEmpty else { return try expectEqual(unended, []) }
            let difference = lineDifference(from: log.text, to: ReadLog(damaged, chunk: 61).text)
            return try expectEqual(difference, "")
        }
    }

    @Test func hardInput() {
        let long = [UInt8](repeating: 0x78, count: 1_200_000)
        var bytes = Array("Test Case 'A.b' started at 2026-11-20 22:21:21.458\n".utf8) + long
        bytes += Array("Test Case 'A.b' failed (1.0 seconds)\n".utf8) + [0, 0xFF, 0xFE, 0x0A]
        bytes += Array("/a.swift:1: error: A.b : late\u{0}text\n".utf8)
        let log = ReadLog(bytes)
        #expect(log.ended.map(\.outcome) == [.failed])
        let printed = log.kinds.reduce(0) { count, event in
            if case .test(.output(_, let bytes)) = event { count + bytes.count } else { count }
        }
        #expect(printed == long.count)
        #expect(log.issues.map(\.text) == ["late\u{0}text"])
    }

    @Test(arguments: [
        "Test Case 'A.b' passed (444444444444444 seconds)", "\u{2714} Test a() passed after 444444444444444.9 seconds.",
        "\u{2718} Test a() recorded an issue with 2 argument", "\u{2718} Test a() recorded an issue with 9 arguments ",
        "*** Signal 4", "\t Executed 444444444444444 tests, with 444444444444444 failures (0 unexpected)",
        "[444444444444444/9] Testing A.B/c", "Test case '' passed on '", "CompileC (in target '",
    ])
    func damagedNumbersAndEndsAreHandled(_ line: String) {
        let start = "\u{25C7} Test run started.\n\u{25C7} Test a() started.\n"
        for text in [line, start + line, "Test Case 'A.b' started at 1\n" + line] {
            for namesPassing in [true, false] {
                let log = ReadLog(Array((text + "\n").utf8), namesPassing: namesPassing)
                #expect(Set(log.started).isSubset(of: Set(log.ended.map(\.test))))
            }
        }
    }

    /// Found by fuzzing: the second start replaced the test of the same name.
    @Test func testsOfTheSameNameThatStartTwiceEnd() {
        let start = "Test Case 'C.t' started at 2026-11-20 22:21:21.458\n"
        let log = ReadLog(Array(("[1/2] Testing A.C/t\n[2/2] Testing B.C/t\n" + start + start).utf8))
        #expect(Set(log.ended.map(\.test)) == Set(log.started))
        #expect(Set(log.started.map(\.module)) == ["A", "B"])
    }

    /// The log contains one line of each kind in the recorded logs, truncated at every position.
    @Test func linesMayBeTruncatedAnywhere() throws {
        var shapes: Set<[UInt8]> = []
        var bytes: [UInt8] = []
        for run in LogReaderTests.runs {
            for line in try LogReaderTests.bytes(run).split(separator: 0x0A) where line.count < 600 {
                let shape = line.filter { $0 < 0x30 || $0 > 0x39 }
                guard shapes.insert(Array(shape.prefix(24))).inserted else { continue }
                for end in line.indices { bytes += line[...end] + [0x0A] }
            }
        }
        #expect(shapes.count > 300)
        for namesPassing in [true, false] {
            let log = ReadLog(bytes, namesPassing: namesPassing)
            #expect(Set(log.started).count <= Set(log.ended.map(\.test)).count)
        }
    }
}
