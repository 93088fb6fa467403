import Files
import Processes
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
            for line in [
                "lint one", "deploy blue", #"say {"settings":{"text":"hello"}"#, #"{"settings":{"text":"bye"}"#,
                "✔ ship passed", "✔ own+shared/lint passed", "shared/deploy", "?? Lanes/",
            ] { #expect(text.contains(line), "\(line): \(text)") }
            #expect(!text.contains(".lane/"), "\(text)")
        }

        @Test func runsStayAtTheLockUntilAnUpdate() async throws {
            let text = try await run(
                Self.next + "\"$0\" shared/lint; rm -r .lane; \"$0\" shared/lint; \"$0\" update; \"$0\" shared/lint")
            let parts = text.split(separator: "1.0.0 (")
            try #require(parts.count == 2, "\(text)")
            #expect(!parts[0].contains("lint two") && parts[0].contains("fetching 'shared' from ../lanes at "))
            #expect(
                parts[1].contains("1.1.0 (") && parts[1].contains("  M lint.yml\n") && parts[1].contains("lint two"))
        }

        @Test("Without the remote repository, cached and own lanes run, and others name the reason")
        func offline() async throws {
            let text = try await run(
                """
                mv ../lanes ../gone; "$0" shared/lint; rm -r .lane; sed -i.old 's/.*/steps: [{ run: echo }]/' Lanes/ship.yml
                "$0" own; "$0" shared/lint; echo status $?; mv ../gone ../lanes; "$0" shared/lint
                """)
            #expect(text.contains("error: git fetch ../lanes failed: "), "\(text)")
            #expect(text.contains("Lanes/remote/sources.yml:1:12") && text.contains("status 65"))
            #expect(text.contains("✔ own passed") && text.contains("✔ shared/lint passed"))
        }

        @Test func changedSourcesNeedAnUpdate() async throws {
            let text = try await run(
                """
                sed -i.old 's/version: 1/branch: main/' Lanes/remote/sources.yml
                "$0" ship; echo status $?; "$0" check; echo status $?; "$0" update shared; "$0" check; echo status $?
                """)
            let hint = "source 'shared' was changed; it is locked for version 1"
            #expect(text.split(separator: hint).count == 3, "\(text)")
            #expect(text.contains("hint: use 'lane update shared'"))
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
            #expect(text.contains("status 130") && !text.contains("alive"), "\(text)")
            #expect(text.contains("✔ shared/lint passed") && text.hasSuffix("1\n"), "\(text)")
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
