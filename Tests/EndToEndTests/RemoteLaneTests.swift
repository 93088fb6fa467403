import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Lanes of another repository run at the locked commit, and nothing else is fetched")
    struct RemoteLaneTests {
        /// Creates `app` and `lanes` beside each other, and locks the first commit of `lanes`.
        private static let begin = """
            mkdir -p lanes/Lanes/actions app/Lanes/remote && cd lanes && git init -q -b main
            printf 'env: { TEAM: blue }\\n' > Lanes/_common.yml
            printf 'steps:\\n  - run: echo lint one\\n' > Lanes/lint.yml
            printf 'include: _common.yml\\nneeds: [lint]\\nsteps:\\n  - run: echo deploy $TEAM\\n  - say: hello\\n' > Lanes/deploy.yml
            cat > Lanes/actions/say <<'END'
            #!/bin/sh
            case $1 in
            describe) echo '{"shorthand": "text", "settings": [{"name": "text"}]}' ;;
            run) echo "say $(cat)" ;;
            esac
            END
            chmod +x Lanes/actions/say; git add -A; git commit -q -m One; git tag 1.0.0
            cd ../app && git init -q -b main
            printf 'sources: { shared: { url: ../lanes, version: 1 } }\\n' > Lanes/remote/sources.yml
            printf 'needs: [shared/lint]\\nsteps:\\n  - lane: shared/deploy\\n  - shared/say: bye\\n' > Lanes/ship.yml
            printf 'steps:\\n  - run: echo own\\n' > Lanes/own.yml
            "$0" update > /dev/null

            """
        /// Adds a commit to `lanes`.
        private static let next = """
            (cd ../lanes; sed -i.old s/one/two/ Lanes/lint.yml; rm Lanes/*.old; git commit -q -a -m Two; git tag 1.1.0)

            """

        @Test func lanesActionsAndIncludes() async throws {
            let text = try await run("\"$0\" ship; \"$0\" own shared/lint; \"$0\" list; git status --porcelain")
            expectGolden(redacted(text), "remote-lanes.txt")
        }

        @Test func runsStayAtTheLockUntilAnUpdate() async throws {
            let text = try await run(
                Self.next + "\"$0\" shared/lint; rm -r .lane; \"$0\" shared/lint; \"$0\" update; \"$0\" shared/lint")
            let parts = text.split(separator: "1.0.0 (").map(String.init)
            try #require(parts.count == 2, "\(text)")
            #expect(
                redacted(parts[0]) == """
                    ▸ echo lint one
                    lint one

                    ✔ shared/lint passed in <time>
                    fetching 'shared' from ../lanes at <hash>
                    ▸ echo lint one
                    lint one

                    ✔ shared/lint passed in <time>
                    shared 
                    """)
            #expect(
                redacted(parts[1]) == """
                    <hash>) → 1.1.0 (<hash>)
                      M lint.yml
                      git diff --no-index .lane/remote/shared/<hash> .lane/remote/shared/<hash>
                    Lanes/remote/sources.lock was written; review the changes, and commit it
                    ▸ echo lint two
                    lint two

                    ✔ shared/lint passed in <time>

                    """)
        }

        @Test("Without the remote repository, cached and own lanes run, and others name the reason")
        func offline() async throws {
            let text = try await run(
                """
                mv ../lanes ../gone; "$0" shared/lint; rm -r .lane; sed -i.old 's/.*/steps: [{ run: echo }]/' Lanes/ship.yml
                "$0" own; "$0" shared/lint; echo status $?; mv ../gone ../lanes; "$0" shared/lint
                """)
            #expect(
                redacted(text) == """
                    ▸ echo lint one
                    lint one

                    ✔ shared/lint passed in <time>
                    ▸ echo own
                    own

                    ✔ own passed in <time>
                    fetching 'shared' from ../lanes at <hash>
                    Lanes/remote/sources.yml:1:12: error: git fetch ../lanes failed: '<tmp>/lanes' does not appear to be a git repository
                        sources: { shared: { url: ../lanes, version: 1 } }
                                   ^~~~~~
                    status 65
                    fetching 'shared' from ../lanes at <hash>
                    ▸ echo lint one
                    lint one

                    ✔ shared/lint passed in <time>

                    """)
        }

        @Test func changedSourcesNeedAnUpdate() async throws {
            let text = try await run(
                """
                sed -i.old 's/version: 1/branch: main/' Lanes/remote/sources.yml
                "$0" ship; echo status $?; "$0" check; echo status $?; "$0" update shared; "$0" check; echo status $?
                """)
            let hint = "source 'shared' was changed; it is locked for version 1"
            #expect(text.split(separator: hint).count == 3, "\(text)")
            #expect(
                redacted(text) == """
                    Lanes/remote/sources.yml:1:12: error: source 'shared' was changed; it is locked for version 1
                        sources: { shared: { url: ../lanes, branch: main } }
                                   ^~~~~~
                    hint: use 'lane update shared'
                    status 65
                    Lanes/remote/sources.yml:1:12: error: source 'shared' was changed; it is locked for version 1
                        sources: { shared: { url: ../lanes, branch: main } }
                                   ^~~~~~
                    hint: use 'lane update shared'
                    1 error in lane files
                    status 65
                    shared main (<hash>), unchanged
                    Lanes/remote/sources.lock was written; review the changes, and commit it
                    2 lane files: no errors
                    status 0

                    """)
            #expect(
                text.split(separator: "\n").filter { $0.hasPrefix("status") } == ["status 65", "status 65", "status 0"])
        }

        @Test("A signal during a fetch ends git, and the next run fetches again")
        func signal() async throws {
            let text = try await run(
                """
                rm -r .lane; mkdir bin
                printf '#!/bin/sh\\ncase "$*" in *fetch*) echo $$ > ../pid; touch ../ready; exec sleep 60 ;; esac\\nexec "$GIT" "$@"\\n' > bin/git
                chmod +x bin/git; export GIT="$(command -v git)"; set -m
                PATH="$PWD/bin:$PATH" "$0" shared/lint & lane=$!
                while [ ! -e ../ready ]; do sleep 0.02; done
                kill -INT $lane; wait $lane; echo status $?
                kill -0 "$(cat ../pid)" 2> /dev/null && echo alive
                "$0" shared/lint; ls .lane/remote/shared | wc -l
                """)
            #expect(
                redacted(text) == """
                    fetching 'shared' from ../lanes at <hash>
                    Lanes/remote/sources.yml:1:12: error: git init was stopped
                        sources: { shared: { url: ../lanes, version: 1 } }
                                   ^~~~~~
                    [1]+  Interrupt               PATH="$PWD/bin:$PATH" "$0" shared/lint
                    status 130
                    fetching 'shared' from ../lanes at <hash>
                    ▸ echo lint one
                    lint one

                    ✔ shared/lint passed in <time>
                    1

                    """)
        }

        @Test func severalRunsFetchAtOnce() async throws {
            let text = try await run(
                """
                rm -r .lane; for n in 1 2 3 4; do "$0" shared/lint > $n.txt 2>&1 & done; wait
                cat ?.txt; "$0" shared/lint; ls .lane/remote/shared | wc -l
                """)
            // Only one lane at a time runs in a directory, but all of them load it.
            #expect(!text.contains("Lanes/remote/sources.yml:"), "\(text)")
            #expect(text.contains("✔ shared/lint passed") && text.hasSuffix("1\n"), "\(text)")
        }

        /// Runs a script in `app` and returns its output.
        private func run(_ script: String) async throws -> String {
            let directory = try TemporaryDirectory()
            let result = try await capture(
                Command(
                    "bash", ["-c", "exec 2>&1; unset LANE_CHILD\n" + Self.begin + script, BuiltTool.lane.path],
                    environment: plainEnvironment(), directory: directory.path),
                limits: RunLimits(timeout: .seconds(60)))
            return result.text
        }
    }
}
