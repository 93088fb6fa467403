import Events
import TestEngine
import TestSupport
import Testing
import Text

#if os(Linux)
    @Suite(.serialized, .engineTurn) struct SanitizerTests {
        /// Each sanitizer has its own copy of the package, because a build with another one compiles everything again.
        private func run(_ sanitizer: String) throws -> (run: EngineRun, issues: [TestIssue]) {
            let package = FixturePackage("Faults", as: "Faults-\(sanitizer)")
            let run = try EngineRun(package) { $0.build.sanitizers = [sanitizer] }
            let issues = run.events.compactMap { event in
                if case .test(.issue(let issue)) = event, issue.test == nil { issue } else { nil }
            }
            return (run, issues)
        }

        @Test func aRaceFailsTheRunAndNamesTheTest() throws {
            let (run, issues) = try run("thread")
            #expect(run.verdict.status == .testCrashed)
            #expect(run.verdict.counts.passed == 4)
            #expect(issues.count == 1)
            let issue = try #require(issues.first)
            #expect(issue.text.hasPrefix("ThreadSanitizer: ") && issue.text.hasSuffix("while FaultsTests.racing() ran"))
            #expect(issue.location?.path == "Sources/Faults/Faults.swift" && issue.location?.line == 17)
        }

        @Test func aBadAccessEndsItsTestAlone() throws {
            let (run, issues) = try run("address")
            #expect(run.verdict.counts.crashed == 1 && run.verdict.counts.passed == 3)
            #expect(run.failure("testBehind").hasPrefix("AddressSanitizer: heap-buffer-overflow\n  at Sources/Faults"))
            #expect(run.place("testBehind") == "Sources/Faults/Faults.swift:32")
            #expect(!run.output("testBehind").contains("Shadow byte legend"))
            // XCTest's own leaks are not failures, and the linker's messages about the sanitizer are not warnings.
            #expect(issues.isEmpty)
            #expect(run.summary.diagnostics.isEmpty)
            let warnings = run.events.filter { if case .message = $0 { true } else { false } }
            #expect(warnings.isEmpty)
        }
    }
#endif
