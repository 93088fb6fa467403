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
            "$@" && printf '%s,,instructions:u,1,100.00,,\\n' "$(cat ".git/$1" 2>/dev/null || grep -x '[0-9]*' cost 2>/dev/null || echo 1)" > "$out"
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
            "peers": """
            steps:
              - bench:
                  command: [./work]
                  peers: { more: [./more], less: [./less], none: [no-such-program], script: no-such-program < more }
                  at-most: [0.5 x more, 1.5 x less, 1 x none, 1200 instructions]
                  measure: instructions
                  runs: 6
            """,
            "limits":
                "steps: [{ bench: { command: ./work, peers: { a: ./work }, at-most: [1 x b, 0 x a, much, 1 MiB] } }]\n",
            "slow": #"steps: [{ bench: { command: 'echo > "$RUNS.slow"; sleep 600', base: main, runs: 6 } }]"#,
            "time": """
            steps:
              - id: speed
                bench: { command: ../work && sleep 0.01, directory: bin, runs: 6 }
              - id: work
                bench: { command: sleep 0.1, measure: cpu-time, at-most: 100 ms, runs: 6 }
              - run: echo "median above 10 ms ${{ steps.speed.median > 10000 }}"
              - run: echo "processor time ${{ steps.work.median > 0 && steps.work.median < 100000 }}"
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

        @Test("A program is compared with its peers, and fails above a limit")
        func peers() async throws {
            let run = try await runScript(
                Self.setUp + """
                    for peer in more less; do printf '#!/bin/sh\n' > $peer; chmod +x $peer; done
                    printf '2000\n' > .git/more; printf '800\n' > .git/less
                    "$0" peers 2>&1 | sed 's/ (\\/.*//; s/ failed: .*//' | grep -e ' x ' -e median -e omitted
                    echo 1300 > cost; "$0" peers 2>&1 | grep -oE '([0-9.]* x|the median) [a-z0-9 ]* is above .*' | sort -u
                    "$0" limits 2>&1 | grep 'at-most' | sort -u
                    """, lanes: Self.lanes
            ).0
            #expect(
                run.text == """
                    warning: 'none' is omitted: 'no-such-program' is not installed, or not in PATH
                    warning: 'script' is omitted: the benchmark of script
                    the checkout: median 1000 instructions, 96.9 % interval 1000 instructions to 1000 instructions, 6 runs, at most 1200 instructions
                    more: median 2000 instructions, 96.9 % interval 2000 instructions to 2000 instructions, 6 runs
                    less: median 800 instructions, 96.9 % interval 800 instructions to 800 instructions, 6 runs
                    0.50 x more, 96.9 % interval 0.50 x to 0.50 x, at most 0.5 x more
                    1.25 x less, 96.9 % interval 1.25 x to 1.25 x, at most 1.5 x less
                    0.65 x more is above the limit of 0.5 x more
                    1.63 x less is above the limit of 1.5 x less
                    the median of 1300 instructions is above the limit of 1200 instructions
                        - 'at-most' names 'b', which is not among the 'peers'
                        - 'at-most': expected a limit such as '1.5 x gzip' or '10 ms', found '0 x a'
                        - 'at-most': expected a limit such as '1.5 x gzip' or '10 ms', found 'much'
                        - the limit '1 MiB' in 'at-most' is not in the unit of 'measure: time'

                    """, "\(run.errorText)")
        }

        @Test(
            "Signals remove the worktree and the processes, also two within 0.15 s",
            arguments: ["kill -TERM $!", "kill -INT $!; sleep 0.15; kill -INT $!"])
        func signals(_ kill: String) async throws {
            let run = try await runScript(
                Self.setUp + """
                    set -m; "$0" slow > .git/out 2>&1 &
                    until [ -e .git/runs.slow ]; do sleep 0.01; done
                    \(kill) || true; wait $!; echo "status $((128 - $? < 0))"
                    clean; git status --porcelain
                    """, lanes: Self.lanes
            ).0
            #expect(run.text == "status 1\nclean\n", "\(run.text)\(run.errorText)")
        }

        #if os(Linux)
            @Test("After SIGKILL nothing runs, and the next run removes the worktree")
            func killed() async throws {
                let run = try await runScript(
                    Self.setUp + """
                        "$0" slow > .git/out 2>&1 & lane=$!
                        until [ -e .git/runs.slow ]; do sleep 0.01; done
                        guard > /dev/null; kill -KILL $lane; wait $lane; echo "status $?"
                        while grep -qsz "^LANE_ROOT=$PWD/" /proc/[0-9]*/environ; do sleep 0.02; done; echo none runs
                        [ -d .git/lane/bench/worktree ] && echo worktree
                        "$0" compare > /dev/null; echo status $?; clean
                        """, lanes: Self.lanes
                ).0
                #expect(
                    run.text == "status 137\nnone runs\nworktree\nstatus 0\nclean\n", "\(run.text)\(run.errorText)")
            }
        #endif

        @Test("Times, outputs and contradictory settings")
        func others() async throws {
            let run = try await runScript(
                Self.setUp + """
                    "$0" time | grep -oE '(median above 10 ms|processor time) [a-z]*$' | sort -u
                    show wrong; show none; "$0" wrong --plan > /dev/null; echo plan $?
                    """, lanes: Self.lanes
            ).0
            #expect(
                run.text == """
                    median above 10 ms true
                    processor time true
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
