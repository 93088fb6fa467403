import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// No file of the package names its version, so `bump` changes none. The last tag is 1.0.0.
    @Suite("The version of a run is determined once, and all its steps use it")
    struct RunVersionTests {
        struct Release: Sendable, CustomTestStringConvertible {
            let name: String
            var words = ["release"]
            /// The steps and other members of the lane.
            let lane: String
            var version = "2.0.0"
            var tags = ["1.0.0", "2.0.0"]

            var testDescription: String { name }
        }

        private static let steps = """
            steps:
              - bump: { version: VERSION }
              - changelog: {}
              - commit: { files: [CHANGELOG.md] }
              - tag: {}
              - run: mkdir -p dist && cp Package.swift dist/a.txt
              - checksum: {}

            """

        private static func lane(_ version: String) -> String { steps.replacing("VERSION", with: version) }

        private static let parameter = "parameters:\n  version: { type: version, position: 1, default: auto }\n"
        private static let asked = "\"${{ parameters.version }}\""

        static let releases = [
            Release(name: "an exact version", lane: lane("2.0.0")),
            Release(name: "a bump", lane: lane("major")),
            Release(name: "computed from commits", lane: lane("auto"), version: "1.1.0", tags: ["1.0.0", "1.1.0"]),
            Release(
                name: "a parameter", words: ["release", "minor"], lane: parameter + lane(asked), version: "1.1.0",
                tags: ["1.0.0", "1.1.0"]),
            Release(
                name: "a parameter without bump", words: ["release", "minor"],
                lane: parameter + lane(asked).replacing("  - bump: { version: \(asked) }\n", with: ""),
                version: "1.1.0", tags: ["1.0.0", "1.1.0"]),
            Release(
                name: "computed from commits without bump",
                lane: parameter + lane(asked).replacing("  - bump: { version: \(asked) }\n", with: ""),
                version: "1.1.0", tags: ["1.0.0", "1.1.0"]),
            Release(name: "a transaction", lane: "transaction: true\n" + lane("2.0.0")),
            Release(
                name: "a transaction without bump", words: ["release", "minor"],
                lane: "transaction: true\n" + parameter
                    + lane(asked).replacing("  - bump: { version: \(asked) }\n", with: "").replacing(
                        "  - run:", with: "then:\n  - run:"), version: "1.1.0", tags: ["1.0.0", "1.1.0"]),
            Release(
                name: "a tag after the transaction",
                lane: "transaction: true\n" + lane("2.0.0").replacing("  - tag: {}\n", with: "then:\n  - tag: {}\n")),
            Release(
                name: "a bump in another lane",
                lane: lane("2.0.0").replacing(
                    "bump: { version: 2.0.0 }", with: "lane: prepare")),
            Release(
                name: "a bump in a needed lane",
                lane: "needs: [prepare]\n" + lane("2.0.0").replacing("  - bump: { version: 2.0.0 }\n", with: "")),
            Release(
                name: "a prefix", lane: "env: { LANE_TAG_PREFIX: mini- }\n" + lane("2.0.0"),
                tags: ["1.0.0", "mini-2.0.0"]),
            Release(
                name: "a prefix of bump only",
                lane: lane("2.0.0").replacing(
                    "  - bump: { version: 2.0.0 }\n",
                    with: "  - bump: { version: 2.0.0 }\n    env: { LANE_TAG_PREFIX: mini- }\n"),
                tags: ["1.0.0", "mini-2.0.0"]),
            Release(
                name: "two prefixes",
                lane: lane("3.0.0").replacing(
                    "  - bump: { version: 3.0.0 }\n",
                    with: """
                          - bump: { version: 3.0.0 }
                            env: { LANE_TAG_PREFIX: other- }
                          - bump: { version: 2.0.0 }

                        """
                ).replacing(
                    "  - tag: {}\n",
                    with: """
                          - tag: {}
                            env: { LANE_TAG_PREFIX: other- }
                          - tag: {}

                        """), tags: ["1.0.0", "2.0.0", "other-3.0.0"]),
        ]

        private func package(_ release: Release) async throws -> MiniPackage {
            let package = try MiniPackage(lanes: [
                "release": release.lane, "prepare": "steps:\n  - bump: { version: 2.0.0 }\n",
            ])
            try removeTree("\(package.path)/Sources/Mini/MiniVersion.swift")
            for directory in [".build", ".lane", "dist"] { try makeDirectories("\(package.path)/\(directory)") }
            try await package.commit()
            try await package.git("tag", "1.0.0")
            try await package.git("commit", "-q", "--allow-empty", "-m", "feat: More")
            return package
        }

        private func expect(_ release: Release, in package: MiniPackage, _ run: CapturedRun) async throws {
            let text = "\(release.name): \(run.text)\(run.errorText)"
            #expect(run.report.status == 0, "\(text)")
            #expect(
                try await package.git("tag", "--list").split(separator: "\n") == release.tags.map { $0[...] }, "\(text)"
            )
            #expect(try await package.git("log", "-1", "--format=%s") == "Release \(release.version)\n", "\(text)")
            #expect(try package.directory.read("CHANGELOG.md").contains("## [\(release.version)]"), "\(text)")
            let manifest = "dist/checksums-\(release.version).manifest.json"
            #expect(fileExists("\(package.path)/\(manifest)"), "\(text)")
        }

        @Test("In the plan and in the run", arguments: releases)
        func release(_ release: Release) async throws {
            let package = try await package(release)
            let plan = try await BuiltTool.lane.run(release.words + ["--plan"], in: package.path)
            #expect(plan.text.contains("commit as 'Release \(release.version)'"), "\(plan.text)\(plan.errorText)")
            for tag in release.tags.dropFirst() {
                #expect(plan.text.contains("tag the commit '\(tag)'"), "\(plan.text)")
            }
            try await expect(release, in: package, BuiltTool.lane.run(release.words, in: package.path))
        }

        /// Fails once after each step, and resumes.
        @Test("After a failure, the resumed run has the version", arguments: releases)
        func resumed(_ release: Release) async throws {
            let lines = release.lane.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let isApplied = lines.contains("transaction: true")
            var isAfter = !isApplied
            for (index, line) in lines.enumerated() {
                if line == "then:" { isAfter = true }
                let isMember = index + 1 < lines.count && lines[index + 1].hasPrefix("    ")
                guard isAfter, line.hasPrefix("  - ") || line.hasPrefix("    env:"), !isMember else { continue }
                var failing = lines
                failing.insert("  - run: test -e .build/go", at: index + 1)
                var release = release
                release = Release(
                    name: "\(release.name), after \(line)", words: release.words,
                    lane: failing.joined(separator: "\n"), version: release.version, tags: release.tags)
                let package = try await package(release)
                let first = try await BuiltTool.lane.run(release.words, in: package.path)
                #expect(first.report.status == 1, "\(release.name): \(first.text)\(first.errorText)")
                try package.directory.write("", to: ".build/go")
                try await expect(
                    release, in: package, BuiltTool.lane.run(release.words + ["--resume"], in: package.path))
            }
        }

        @Test("A step that was up to date returns the version")
        func upToDate() async throws {
            let release = Release(
                name: "inputs",
                lane: Self.lane("2.0.0").replacing(
                    "  - bump: { version: 2.0.0 }\n",
                    with: "  - bump: { version: 2.0.0 }\n    inputs: [Package.swift]\n  - run: test -e .build/go\n"))
            let package = try await package(release)
            let first = try await BuiltTool.lane.run(release.words, in: package.path)
            #expect(first.report.status == 1, "\(first.text)")
            try package.directory.write("", to: ".build/go")
            try await expect(release, in: package, BuiltTool.lane.run(release.words, in: package.path))
        }
    }
}
