import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("ci/lane builds lane when its sources have changed, and runs it")
    struct BootstrapTests {
        @Test("Arguments, status and standard output are those of lane, and nothing else")
        func runs() async throws {
            let checkout = try FakeCheckout()
            let run = try await checkout.lane("a b", "", "--c")
            #expect(run.text == "ran <a b> <> <--c>\n")
            #expect(run.report.status == 7)
            #expect(checkout.builds == 1)
        }

        @Test("It builds once, and not again for sources that are only touched or restored")
        func buildsOnce() async throws {
            let checkout = try FakeCheckout()
            _ = try await checkout.lane()
            _ = try await checkout.lane()
            let text = try checkout.read("Sources/Lane/main.swift")
            try checkout.write(text, to: "Sources/Lane/main.swift")
            _ = try await checkout.lane()
            #expect(checkout.builds == 1)
        }

        @Test("It does not read the sources of the library")
        func leavesOutTheLibrary() async throws {
            let checkout = try FakeCheckout()
            _ = try await checkout.lane()
            try checkout.write("let b = 2\n", to: "Sources/Tracer/Tracer/Tracer.swift")
            _ = try await checkout.lane()
            #expect(checkout.builds == 1)
        }

        @Test("A file that is changed, added, removed, renamed or restored with its old time makes it build again")
        func buildsAgain() async throws {
            let checkout = try FakeCheckout()
            _ = try await checkout.lane()
            let changes = [
                "echo 'let a = 2' > Sources/Lane/main.swift", "echo 'let b = 1' > Sources/Lane/b.swift",
                "mv Sources/Lane/b.swift Sources/Lane/c.swift", "rm Sources/Lane/c.swift", "echo '//' >> Package.swift",
                "cp -p Sources/Lane/main.swift keep && echo 'let a = 3' > keep && touch -d 2001-01-01 keep"
                    + " && mv keep Sources/Lane/main.swift",
                "rm -r .build",
            ]
            for (index, change) in changes.enumerated() {
                #expect(try await checkout.shell(change).report.succeeded, "\(change)")
                #expect(try await checkout.lane().report.status == 7)
                #expect(checkout.builds == index + 2, "\(change)")
            }
        }

        @Test("Calls at the same time build once and all run")
        func concurrentCalls() async throws {
            let checkout = try FakeCheckout()
            let run = try await checkout.shell(
                "for i in 1 2 3 4 5 6; do ci/lane $i & done; wait", environment: ["FAKE_BUILD_SECONDS": "0.3"])
            #expect(run.text.split(separator: "\n").count == 6)
            #expect(checkout.builds == 1)
        }

        @Test("After a failed build it reports the failure and builds again")
        func failedBuild() async throws {
            let checkout = try FakeCheckout()
            let run = try await checkout.lane(environment: ["FAKE_BUILD_FAILS": "1"])
            #expect(run.report.status == 3)
            #expect(
                run.errorText == """
                    ci/lane: building lane (Swift 6.3), 45 to 100 seconds on two cores; meanwhile, read docs/getting-started.md
                    ci/lane: lane does not build; the errors are above

                    """)
            #expect(try await checkout.lane().report.status == 7)
        }

        @Test("The optimized program is built again for another commit, which it names; the ordinary one is not")
        func commits() async throws {
            let checkout = try FakeCheckout()
            let git = "git -c user.name=A -c user.email=a@example.com"
            let commit = "\(git) add Sources && \(git) commit -q --allow-empty -m x && \(git) rev-parse --short=10 HEAD"
            var expected: [String] = []
            for _ in 0..<2 {
                let made = try await checkout.shell("[ -d .git ] || git init -q; \(commit)").text
                expected.append(String(made.prefix { !$0.isNewline }))
                for _ in 0..<2 { _ = try await checkout.lane(environment: ["LANE_OPTIMIZED": "1"]) }
            }
            for environment in [["LANE_OPTIMIZED": "1", "LANE_COMMIT": "given"], [:]] {
                _ = try await checkout.lane(environment: environment)
            }
            _ = try await checkout.shell(commit)
            _ = try await checkout.lane()
            #expect(try checkout.read("builds.commits") == (expected + ["given", "none", ""]).joined(separator: "\n"))
        }

        @Test("The build is the ordinary one of the package, or the optimized one in a directory of its own")
        func buildDirectories() async throws {
            let checkout = try FakeCheckout()
            _ = try await checkout.lane()
            let run = try await checkout.lane("a", environment: ["LANE_OPTIMIZED": "1"])
            #expect(run.text == "ran <a>\n")
            _ = try await checkout.lane()
            _ = try await checkout.lane(environment: ["LANE_OPTIMIZED": "1"])
            let directories = try checkout.read("builds.directories").replacing(checkout.root, with: "<root>")
                .split(separator: "\n")
            #expect(directories.count == 2, "\(directories)")
            #expect(directories[0] == "debug in <root>/.build")
            #expect(directories[1].hasPrefix("release in <root>/.build/lane-optimized/"))
            #expect(directories[1].hasSuffix("/scratch"))
        }

        @Test("The program gets the address of the repository without credentials, which is no part of the build")
        func address() async throws {
            let checkout = try FakeCheckout()
            #expect(try await checkout.lane("repository").text == "none\n")
            _ = try await checkout.shell("git init -q; git remote add origin https://me:word@host.test/team/lane.git")
            #expect(try await checkout.lane("repository").text == "https://host.test/team/lane.git\n")
            #expect(checkout.builds == 1)
        }

        @Test("Products of another compiler are removed, and the rest of .build stays")
        func otherCompiler() async throws {
            let checkout = try FakeCheckout()
            _ = try await checkout.lane()
            try checkout.write("", to: ".build/debug/old")
            try checkout.write("", to: ".build/x86_64/debug/old")
            try checkout.write("", to: ".build/checkouts/kept")
            try checkout.write("let a = 9\n", to: "Sources/Lane/main.swift")
            _ = try await checkout.lane(environment: ["FAKE_SWIFT_VERSION": "6.4"])
            let found = try await checkout.shell("find .build -name old -o -name kept")
            #expect(found.text == ".build/checkouts/kept\n")
        }

        @Test("It works from any directory and through a link; outside a package it uses the lanes of this one")
        func workingDirectory() async throws {
            let checkout = try FakeCheckout()
            let elsewhere = try TemporaryDirectory()
            let script = "\(checkout.root)/ci/lane"
            let run = try await checkout.shell(
                """
                mkdir -p deep/er other/Lanes
                (cd deep/er && "\(script)" where)
                (cd other && "\(script)" where)
                cd "\(elsewhere.path)"
                ln -s "\(script)" link
                ./link where
                "\(script)" condense where
                "\(script)" -C other where
                """)
            let root = resolvedPath(checkout.root) ?? ""
            let other = resolvedPath(elsewhere.path) ?? ""
            let places = ["\(root)/deep/er", "\(root)/other", root, other, other]
            #expect(run.text == places.map { "in \($0)\n" }.joined(), "\(run.errorText)")
        }

        @Test(
            "Missing tools and libraries are reported with a fix",
            arguments: [
                (["FAKE_SWIFT_VERSION": "6.1.3"], "Swift 6.1 is too old, 6.2 or later is needed; \(fix)"),
                (["FAKE_SWIFT_VERSION": "5.10"], "Swift 5.10 is too old, 6.2 or later is needed; \(fix)"),
                (["FAKE_SWIFT_FAILS": "1"], "'swift --version' failed (<root>/tools/swift); \(fix)"),
                (["FAKE_MISSING": "libdeflate"], packages("libdeflate-dev", "libdeflate-devel", "libdeflate")),
                (["FAKE_MISSING": "nettle"], packages("nettle-dev", "nettle-devel", "nettle")),
            ])
        func missing(_ environment: [String: String], _ message: String) async throws {
            let checkout = try FakeCheckout()
            let run = try await checkout.lane(environment: environment)
            #expect(run.report.status == 69)
            #expect(run.errorText.replacing(checkout.root, with: "<root>") == "ci/lane: \(message)\n")
            #expect(run.text.isEmpty)
            #expect(checkout.builds == 0)
        }

        private static let fix = "get one from https://www.swift.org/install, and put its usr/bin into PATH"

        private static func packages(_ apt: String, _ dnf: String, _ brew: String) -> String {
            """
            installing \(apt)
            ci/lane: apt-get update failed; using the existing package lists
            ci/lane: apt-get did not succeed
            ci/lane: these packages are needed; install them and try again:
            ci/lane:   Debian, Ubuntu:  sudo apt-get install \(apt)\u{20}
            ci/lane:   Fedora:          sudo dnf install \(dnf)\u{20}
            ci/lane:   macOS:           brew install \(brew)\u{20}
            """
        }
    }
}
