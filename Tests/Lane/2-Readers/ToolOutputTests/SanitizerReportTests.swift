import Events
import Testing
import ToolOutput

@Suite struct SanitizerReportTests {
    /// Returns the reports, which must not depend on the chunks.
    private func reports(_ text: String, root: String = "/src/S") -> [SanitizerReport] {
        let bytes = Array(text.utf8)
        let found = [1, 7, bytes.count + 1].map { size in
            var parser = SanitizerOutputParser(root: root)
            var found: [SanitizerReport] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
                    parser.consume(piece) { found.append($0) }
                }
            }
            parser.finish { found.append($0) }
            return found
        }
        #expect(found.allSatisfy { $0 == found[0] })
        return found[0]
    }

    private static let race = """
        a print of the test
        ==================
        WARNING: ThreadSanitizer: Swift access race (pid=25073)
          Modifying access of Swift variable at 0x7b08 by thread T6:
            #0 $s1S4raceSiyFSvSgACcfU_ /src/S/Sources/S/S.swift:13:37 (SPackageTests.xctest+0x105f2d) (BuildId: fe2b)
            #1 $s1S4raceSiyFSvSgACcfU_To /src/S/Sources/S/S.swift:9:5 (SPackageTests.xctest+0x105f7c) (BuildId: fe2b)

          Previous modifying access of Swift variable at 0x7b08 by thread T5:
            #0 swift_retain crtstuff.c (libswiftCore.so+0x71e5f) (BuildId: b9f3)
            #1 $s1S5countSiyF /src/S/Sources/S/My Count.swift:21 (SPackageTests.xctest+0x105f2d) (BuildId: fe2b)

          Location is heap block of size 24 at 0x7b08 allocated by thread T2:
            #0 $s1S4makeSiyF /src/S/Sources/S/S.swift:3:1 (SPackageTests.xctest+0x1) (BuildId: fe2b)

          Thread T6 (tid=25101, running) created by thread T2 at:
            #0 pthread_create tsan_interceptors_posix.cpp:1094:3 (SPackageTests.xctest+0x84a5a) (BuildId: fe2b)
            #1 $s6STests4racyyyF /src/S/Tests/STests/T.swift:4:21 (SPackageTests.xctest+0x148c6c)
            #2 main /src/S/.build/debug/runner.swift:5:1 (SPackageTests.xctest+0x2)

        SUMMARY: ThreadSanitizer: Swift access race /src/S/Sources/S/S.swift in $s1S4raceSiyFSvSgACcfU_
        ==================

        """

    @Test func racesHaveALocationForEachAccess() throws {
        let report = try #require(reports(Self.race).first)
        #expect(
            report.text == """
                ThreadSanitizer: Swift access race
                  at Sources/S/S.swift:13
                  at Sources/S/My Count.swift:21
                """)
        #expect(report.ways.map(\.path).last == "Tests/STests/T.swift")
        #expect(!report.ways.contains { $0.path.hasPrefix(".build/") })
        #expect(reports(Self.race + Self.race) == [report, report])
    }

    @Test func invalidAccessesExcludeTheDeallocation() {
        let text = """
            =================================================================
            ==25590==ERROR: AddressSanitizer: heap-use-after-free on address 0x7c0b at pc 0x5645 bp 0x7ffc sp 0x7ffc
            READ of size 8 at 0x7c0b thread T0
                #0 0x564524ddcad5 in $s1S8overflowyS2iF /src/S/Sources/S/S.swift:24:13
                #1 0x564524e2fc33 in $s6STests1XC12testOverflowyyF /src/S/Tests/STests/T.swift:8:25

            0x7c0b is located 0 bytes after 32-byte region [0x7c0b,0x7c0c)
            freed by thread T0 here:
                #0 0x1 in free asan_malloc_linux.cpp:51:3
                #1 0x2 in $s1S4dropyyF /src/S/Sources/S/S.swift:30:3

            previously allocated by thread T0 here:
                #0 0x3 in $s1S4makeyyF /src/S/Sources/S/S.swift:20:3

            SUMMARY: AddressSanitizer: heap-use-after-free /src/S/Sources/S/S.swift:24:13 in $s1S8overflowyS2iF
            """
        #expect(
            reports(text).map(\.text) == [
                "AddressSanitizer: heap-use-after-free\n  at Sources/S/S.swift:24\n  at Sources/S/S.swift:30"
            ])
    }

    @Test func truncatedAndSingleLineReportsAreFound() {
        let text = """
            /src/S/Sources/C/c.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented
            ==7==ERROR: LeakSanitizer: detected memory leaks

            Direct leak of 32 byte(s) in 1 object(s) allocated from:
                #0 0x1 in malloc asan_malloc_linux.cpp:67:3
                #1 0x2 in leak /src/S/Sources/C/c.c:9:5
            """
        #expect(
            reports(text).map(\.text) == [
                "UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot be represented\n"
                    + "  at Sources/C/c.c:3",
                "LeakSanitizer: detected memory leaks\n  at Sources/C/c.c:9",
            ])
    }

    @Test func leaksOfXCTestAreForeign() {
        let leak = "==7==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 32 byte(s) allocated from:\n"
        let foreign = "    #0 0x1 in $s6XCTest f crtstuff.c\n"
        let indirect = "\nIndirect leak of 1 byte(s) allocated from:\n    #0 0x2 in g /src/S/Tests/T.swift:1:2\n"
        #expect(reports(leak + foreign + indirect).map(\.isForeignLeak) == [true])
        #expect(reports(leak + "    #0 0x2 in g /src/S/Tests/T.swift:1:2\n" + indirect).map(\.isForeignLeak) == [false])
    }

    /// Found by fuzzing: the output was parsed as a part of the path.
    @Test func outputWithoutALineBreakMayPrecedeReports() {
        let text = "half a line/src/S/Sources/C/c.c:3:5: runtime error: division by zero\n"
        #expect(reports(text).first?.places == [SourceLocation(path: "Sources/C/c.c", line: 3, column: 5)])
    }

    @Test(arguments: [
        "a test speaks of AddressSanitizer: and of ERROR: too\n", "SUMMARY: nothing\n", "runtime error: no place\n",
        "#0 f /src/S/Sources/S/S.swift:1:1\n", "",
    ])
    func otherOutputIsNotAReport(_ text: String) {
        #expect(reports(text) == [])
    }
}
