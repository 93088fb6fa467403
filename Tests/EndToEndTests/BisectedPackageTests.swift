import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("lane bisect builds the tests of a package at each commit")
    struct BisectedPackageTests {
        /// Creates eight commits and a history of the flaky test, and bisects both tests. The worktrees share the build
        /// directory of the package, which is kept for the next run.
        private static let packageScript = #"""
            export GIT_AUTHOR_DATE=@1700000000 GIT_COMMITTER_DATE=@1700000000
            git init -q -b main
            mkdir -p .build .git/bin
            cat > .git/bin/swift << END
            #!/bin/sh
            case \$PWD in */bisect/worktree/*) [ -e .build ] || ln -s '$PWD/.build' .build ;; esac
            PATH='$PATH' exec swift "\$@"
            END
            chmod +x .git/bin/swift; PATH=$PWD/.git/bin:$PATH
            greeting='"hello"'
            for i in $(seq 1 8); do
                [ $i != 4 ] || not=' not Swift'; [ $i -lt 6 ] || greeting='"hallo"'
                echo "public let greeting = $greeting; public let number = $i$not" > Sources/Mini/Mini.swift
                not=; git add -A; git commit -qm "Number $i"
            done
            for i in 1 2 3 4 5 6 7 8 9; do
                [ $((i % 3)) = 0 ] && failure='<failure/>' || failure=
                echo "<testsuite timestamp='2026-11-2${i}T10:00:00'><testcase classname='MiniTests' name='flaps()'>$failure" \
                    "</testcase></testsuite>" > .git/$i.xml
            done
            "$0" history import --commit c0ffee .git/*.xml > /dev/null
            for range in "greets --good HEAD~7" "flaps --good HEAD~5"; do
                "$0" bisect $range | sed -E 's/[0-9a-f]{10}/HASH/; s/ +[0-9.]+ s / /; /git show/d'
            done
            git status --porcelain; ls .git/worktrees 2> /dev/null
            """#

        @Test("Tests of a package, one of them flaky by the history, with a commit that does not build")
        func package() async throws {
            let package = try MiniPackage(keepingBuildsAs: "bisect")
            try package.directory.write(
                """
                import Mini
                import Testing

                @Test func greets() { #expect(greeting == "hello") }
                """, to: "Tests/MiniTests/MiniTests.swift")
            // A test that fails in one of three attempts, and always since commit 6.
            try package.directory.write(
                """
                import Mini
                import Testing
                #if canImport(Glibc)
                    import Glibc
                #else
                    import Darwin
                #endif

                @Test func flaps() throws {
                    let file = try #require(fopen(".lane/count", "a"))
                    defer { fclose(file) }
                    fputs("x", file)
                    #expect(ftell(file) % 3 != 2 && number < 6)
                }

                """, to: "Tests/MiniTests/FlakyTests.swift")
            let environment = buildEnvironment()
            let (run, _) = try await runScript(
                Self.packageScript, lanes: [:], environment: environment, in: package, limit: .seconds(200))
            #expect(
                run.text == """
                    bisecting tests 'greets': 7 commits after HASH, at most 3 steps after the bad end
                    ✘ bad      HASH  bad end   Number 8
                    ↷ skipped  HASH  3 left    Number 4 (does not build)
                    ✔ good     HASH  2 left    Number 5
                    ✘ bad      HASH  0 left    Number 6
                    first bad commit: HASH  Number 6
                      A Tester, 2023-11-14
                      fails: MiniTests.greets()
                    bisecting tests 'flaps': 5 commits after HASH, at most 3 steps after the bad end
                    ✘ bad      HASH  bad end   Number 8 (15 of 15 attempts failed)
                    ✔ good     HASH  2 left    Number 5 (1 of 2 attempts failed)
                    ✘ bad      HASH  0 left    Number 6 (15 of 15 attempts failed)
                    first bad commit: HASH  Number 6
                      A Tester, 2023-11-14
                      fails: MiniTests.flaps()
                      the chance that flaky tests misled this is at most 0.8 %

                    """, "\(run.errorText)")
        }
    }
}
