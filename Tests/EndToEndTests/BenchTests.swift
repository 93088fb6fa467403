import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The action bench")
    struct BenchTests {
        /// A repository with a program `./work`. A fake `perf` reports the number in the file `cost` of the program's
        /// directory as its instructions.
        private static let setUp = """
            mkdir bin; cat > bin/perf <<'END'
            #!/bin/sh
            while [ "$1" != -- ]; do [ "$1" != -o ] || out=$2; shift; done; shift
            "$@" && printf '%s,,instructions:u,1,100.00,,\\n' "$(grep -x '[0-9]*' cost 2>/dev/null || echo 1)" > "$out"
            END
            chmod +x bin/perf; export PATH="$PWD/bin:$PATH"
            printf '#!/bin/sh\\n[ "$(cat cost)" != broken ] && echo measured >> "$RUNS"\\n' > work; chmod +x work
            export RUNS="$PWD/.git/runs"
            git init -q -b main; echo 1000 > cost; git add -A; git commit -qm Base
            show() { "$0" "$@" > .git/out 2>&1; echo "status $?"; sed 's/[0-9a-f]\\{10\\}/HASH/' .git/out | grep -oE "('main|the ch|change|.*the interval|.*needs|.*does not|.*there is|.*goes|.*either).*"; }
            clean() { [ ! -e .git/worktrees ] && [ -z "$(ls .git/lane/bench 2> /dev/null)" ] && echo clean; }

            """

        private static let lanes = [
            "compare": "steps: [{ bench: { command: [./work], base: main, measure: instructions, runs: 6 } }]\n",
            "wrong": "steps: [{ bench: { threshold: 3, arguments: [a] } }]\n",
            "none": "steps: [{ bench: { command: ./work, base: nothing } }]\n",
            "time": """
            steps:
              - id: speed
                bench: { command: ./work && sleep 0.01, runs: 6 }
              - run: echo "median above 10 ms ${{ steps.speed.median > 10000 }}"
            """,
        ]

        @Test("A program is compared with its base, and fails above the threshold")
        func compare() async throws {
            let run = try await runScript(
                Self.setUp + """
                    echo 1040 > cost; show compare; wc -l < .git/runs | tr -d ' '
                    echo 1100 > cost; show compare
                    echo broken > cost; show compare | head -1; clean
                    """, lanes: Self.lanes
            ).0
            #expect(
                run.text == """
                    status 0
                    'main' (HASH): median 1000 instructions, 96.9 % interval 1000 instructions to 1000 instructions, 6 runs
                    the checkout: median 1040 instructions, 96.9 % interval 1040 instructions to 1040 instructions, 6 runs
                    change: +4.00 %, 96.9 % interval +4.00 % to +4.00 %, threshold 5 %
                    14
                    status 1
                    'main' (HASH): median 1000 instructions, 96.9 % interval 1000 instructions to 1000 instructions, 6 runs
                    the checkout: median 1100 instructions, 96.9 % interval 1100 instructions to 1100 instructions, 6 runs
                    change: +10.00 %, 96.9 % interval +10.00 % to +10.00 %, threshold 5 %
                    the change of +10.00 % from 'main' (HASH) is above the threshold of 5 %
                    status 1
                    clean

                    """, "\(run.errorText)")
        }

        @Test("Times, outputs and contradictory settings")
        func others() async throws {
            let run = try await runScript(
                Self.setUp + """
                    "$0" time | grep -o 'median above 10 ms true' | sort -u
                    show wrong; show none; "$0" wrong --plan > /dev/null; echo plan $?
                    """, lanes: Self.lanes
            ).0
            #expect(
                run.text == """
                    median above 10 ms true
                    status 65
                        - 'bench' needs either 'product' or 'command'
                        - the setting 'arguments' goes with 'product'
                        - the setting 'threshold' goes with 'base'
                    status 65
                    ✘ bench: there is no commit 'nothing' (exit status 65)
                    plan 65

                    """, "\(run.errorText)")
        }
    }
}
