import Files
import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Built tests run on another machine")
    struct PackedTestsTests {
        @Test("Shards without sources and compiler give the report of one run")
        func shardsOfAnArchive() async throws {
            let package = try MiniPackage(expecting: "hallo", keepingBuildsAs: "packed")
            let archive = "\(package.path)/tests.tar.gz"
            let packed = try await BuiltTool.lane.run(["test", "--archive", archive], in: package.path)
            #expect(packed.report.status == 0, "\(packed.text)\(packed.errorText)")
            #expect(packed.text.contains("packed 2 tests into tests.tar.gz"), "\(packed.text)")

            // The directory of the other machine, on which no programs are installed.
            let other = try TemporaryDirectory()
            let bare = ["PATH": "\(other.path)/none"]
            try removeTree("\(package.path)/Sources")
            try removeTree("\(package.path)/Tests")
            let whole = try await BuiltTool.lane.run(
                ["test", "--from", archive, "--events", "whole.jsonl", "--junit", "whole.xml"], in: other.path,
                environment: bare)
            #expect(whole.report.status == 1, "\(whole.text)\(whole.errorText)")
            #expect(whole.text.contains("Tests/MiniTests/MiniTests.swift:5"), "\(whole.text)")
            for shard in 1...2 {
                let run = try await BuiltTool.lane.run(
                    ["test", "--from", archive, "--shard", "\(shard)/2", "--events", "\(shard).jsonl"], in: other.path,
                    environment: bare)
                #expect([0, 1].contains(run.report.status), "\(run.text)\(run.errorText)")
            }

            let merged = try await BuiltTool.lane.run(
                ["merge", "1.jsonl", "2.jsonl", "--junit", "merged.xml", "--timings", "times"], in: other.path)
            #expect(merged.report.status == 1)
            #expect(merged.text.contains("2 tests in 1 suite: 1 passed, 1 failed"), "\(merged.text)")
            #expect(try cases(in: other.read("merged.xml")) == cases(in: other.read("whole.xml")))
            #expect(try other.read("times").split(separator: "\n").count == 3)

            let incomplete = try await BuiltTool.lane.run(["merge", "2.jsonl"], in: other.path)
            #expect(incomplete.report.status == 1)
            #expect(incomplete.text.contains("shard 1 of 2 has not reported"), "\(incomplete.text)")
        }

        /// Returns the test cases of a JUnit report without their times, sorted.
        private func cases(in report: String) -> [String] {
            report.split(separator: "\n").filter { $0.contains("<testcase") || $0.contains("<failure") }.map { line in
                let start = line.firstRange(of: " time=\"")?.lowerBound ?? line.endIndex
                let rest = line[start...].dropFirst(7)
                return line[..<start] + (rest.firstIndex(of: "\"").map { rest[$0...].dropFirst() } ?? "")
            }
            .map(String.init).sorted()
        }

        @Test("An archive that cannot run is refused before any test")
        func unusableArchives() async throws {
            let directory = try TemporaryDirectory()
            _ = try directory.write("not an archive", to: "bad.tar.gz")
            let bad = try await BuiltTool.lane.run(["test", "--from", "bad.tar.gz"], in: directory.path)
            #expect(bad.report.status == 65)
            #expect(bad.text.contains("bad.tar.gz' is damaged: not a complete gzip file"), "\(bad.text)")
            let missing = try await BuiltTool.lane.run(["test", "--list", "--from", "no.tar.gz"], in: directory.path)
            #expect(missing.report.status == 66)
            #expect(missing.errorText.contains("no.tar.gz"), "\(missing.errorText)")
            let package = try MiniPackage()
            for words in [["--archive", "a", "--through-swift-test"], ["--from", "bad.tar.gz", "--coverage"]] {
                let refused = try await BuiltTool.lane.run(["test"] + words, in: package.path)
                #expect(refused.report.status == 64, "\(words): \(refused.text)")
            }
            for words in [
                ["--archive", "a", "--from", "b"], ["--archive", "a", "--shard", "1/2"], ["--with-sources"],
            ] {
                let clash = try await BuiltTool.lane.run(["test"] + words, in: repositoryRoot)
                #expect(clash.report.status == 64, "\(words)")
            }
        }
    }
}
